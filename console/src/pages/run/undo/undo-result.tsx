import type { UndoConflict, UndoSummary } from '@account-sync/client';
import { plural } from '../../../components/format';
import { RunLink } from '../../../components/run-link';
import { StatusLine } from '../../../components/status-line';
import { ConflictList } from './conflict-list';
import { UndoCounts } from './undo-counts';
import type { Undone } from './undo-plan';

interface UndoResultProps {
  readonly summary: UndoSummary;
  readonly conflicts: readonly UndoConflict[];
  readonly undone: Undone;
}

/** What a complete undo has done. */
export function UndoResult({ summary, conflicts, undone }: UndoResultProps) {
  const { run_id: id, undoes } = summary;
  return (
    <>
      <StatusLine>
        {undone === 'run' ? `Run ${undoes}` : 'The request'} is undone
        {summary.conflicts > 0 && `, except for ${plural(summary.conflicts, 'conflict')}`}. The undo is itself
        a run, and can be undone:{' '}
        {id !== null && (
          <RunLink id={id} underline="always">
            Run {id}
          </RunLink>
        )}
      </StatusLine>
      <UndoCounts summary={summary} />
      <ConflictList conflicts={conflicts} total={summary.conflicts} undone={undone}>
        What was changed or deleted since the {undone} was left as it is.
      </ConflictList>
    </>
  );
}
