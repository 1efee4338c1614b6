import type { UndoState } from '@account-sync/client';
import { Text } from '@mantine/core';
import { formatNumber, plural } from '../../../components/format';
import { type UndoPlan, undoneOf } from './undo-plan';

/** How far an undo has come, and what continuing it does. */
export function InterruptedUndo({ plan, undo }: { plan: UndoPlan; undo: UndoState }) {
  const { changes, examined, conflicts } = undo;
  const undone = undoneOf(plan);
  return (
    <>
      <Text size="sm">
        The undo has examined {formatNumber(examined)} of {plural(changes, 'change')} so far, and has found{' '}
        {plural(conflicts, 'conflict')}. It continues where it was. If another request is still carrying it
        out, that one ends.
      </Text>
      {plan.requestId !== null && (
        <Text size="sm" className="breakable">
          It takes back only the request {plan.requestId}.
        </Text>
      )}
      <Text size="sm">
        {plan.force
          ? `It takes back conflicts, too: what was changed since the ${undone} is overwritten.`
          : `Conflicts stay as they are: what was changed since the ${undone} is not overwritten.`}
      </Text>
    </>
  );
}
