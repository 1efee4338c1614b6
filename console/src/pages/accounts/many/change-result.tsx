import type { ManySummary } from '@account-sync/client';
import { List, ScrollArea, Stack, Text, Title } from '@mantine/core';
import { useId } from 'react';
import type { ChangeMany } from '../../../api/change-many';
import type { RejectedAccounts } from '../../../api/rejected-accounts';
import { AccountLink } from '../../../components/account-link';
import { formatNumber, plural } from '../../../components/format';
import { RunLink } from '../../../components/run-link';
import { StatusLine } from '../../../components/status-line';
import { ACTIONS, type Action } from './actions';
import { Kept } from './change-preview';
import { changedBy } from './changed-by';

interface ChangeResultProps {
  readonly change: ChangeMany;
  readonly action: Action;
  readonly summary: ManySummary;
}

/** What has become of the selected accounts. */
export function ChangeResult({ change, action, summary }: ChangeResultProps) {
  const { unchanged, rejected, kept, run_id: runId } = summary;
  const changed = changedBy(summary);
  const { done } = ACTIONS[action];
  return (
    <>
      <StatusLine isWarning={rejected > 0}>
        {plural(changed, 'account')} {changed === 1 ? 'was' : 'were'} {done}
        {unchanged > 0 && `, ${formatNumber(unchanged)} stayed as before`}
        {rejected > 0 && `, ${formatNumber(rejected)} could not be ${done}`}.
        {runId !== null && changed > 0 && <UndoHint runId={runId} />}
      </StatusLine>
      {kept > 0 && <Kept kept={kept} />}
      <RejectedList rejected={change.rejected} total={rejected} />
    </>
  );
}

/** Where a change can be taken back. */
export function UndoHint({ runId }: { runId: string }) {
  return (
    <>
      {' '}
      To undo it, open{' '}
      <RunLink id={runId} underline="always">
        run {runId}
      </RunLink>
      .
    </>
  );
}

/** Higher lists scroll. */
const MAX_HEIGHT = 260;

function RejectedList({ rejected, total }: { rejected: RejectedAccounts; total: number }) {
  const titleId = useId();
  const { listed } = rejected;
  if (listed.length === 0) return null;
  return (
    <Stack gap={4}>
      <Title order={3} size="h5" id={titleId}>
        Rejected accounts
      </Title>
      <ScrollArea.Autosize
        mah={MAX_HEIGHT}
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-labelledby': titleId }}
      >
        <List size="sm" spacing={4} className="breakable">
          {listed.map(({ id, text }) => (
            <List.Item key={id}>
              <AccountLink id={id} underline="always" />: {text}
            </List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
      {total > listed.length && (
        <Text size="sm" c="dimmed">
          and {formatNumber(total - listed.length)} more
        </Text>
      )}
    </Stack>
  );
}
