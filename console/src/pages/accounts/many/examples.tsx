import type { WouldChange } from '@account-sync/client';
import { ScrollArea, Stack, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { AccountLink } from '../../../components/account-link';
import { ChangedFields } from '../../../components/changed-fields';
import { formatNumber } from '../../../components/format';
import { ACTIONS, type Action } from './actions';

/** Higher lists scroll. */
const MAX_HEIGHT = 260;

interface ExamplesProps {
  readonly action: Action;
  readonly examples: readonly WouldChange[];
  /** How many accounts change. */
  readonly total: number;
}

/** The first accounts that would change. */
export function Examples({ action, examples, total }: ExamplesProps) {
  const titleId = useId();
  if (examples.length === 0) return null;
  const isAll = examples.length >= total;
  return (
    <Stack gap={4}>
      <Title order={3} size="h5" id={titleId}>
        {isAll ? ACTIONS[action].count : `${ACTIONS[action].count}: the first ${examples.length}`}
      </Title>
      <ScrollArea.Autosize
        mah={MAX_HEIGHT}
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-labelledby': titleId }}
      >
        <ul className="row-list">
          {examples.map(({ account_id: id, name, outcome, changes }) => (
            <li key={id}>
              <Text size="sm" className="breakable">
                <AccountLink id={id} underline="always">
                  {typeof name === 'string' ? name : id}
                </AccountLink>
                {action === 'set' && (
                  <Text span inherit c="dimmed">
                    <ChangedFields change={{ kind: outcome, changes, is_erased: false }} withUtc />
                  </Text>
                )}
              </Text>
            </li>
          ))}
        </ul>
      </ScrollArea.Autosize>
      {!isAll && (
        <Text size="sm" c="dimmed">
          and {formatNumber(total - examples.length)} more
        </Text>
      )}
    </Stack>
  );
}
