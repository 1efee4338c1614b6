import type { Change } from '@account-sync/client';
import { Group, Text } from '@mantine/core';
import { AccountLink } from './account-link';
import { ChangedFields } from './changed-fields';
import { Person, SenderName } from './sender-name';
import { SourceAndRun } from './source-and-run';
import { Swatch } from './swatch';
import { Timestamp } from './timestamp';

const KINDS = {
  created: 'Created',
  updated: 'Updated',
  archived: 'Archived',
  restored: 'Restored',
  deleted: 'Deleted',
} as const;

interface ChangeRowProps {
  readonly change: Change;
  /** Whether it arrived while the page was open. */
  readonly isNew?: boolean;
  /** Whether to show the source and the run. */
  readonly showsOrigin?: boolean;
}

export function ChangeRow({ change, isNew = false, showsOrigin = false }: ChangeRowProps) {
  const { account_id, kind, at } = change;
  return (
    <li className={isNew ? 'arrived' : undefined}>
      <Group justify="space-between" gap="sm" wrap="nowrap" align="baseline">
        <Text size="sm" fw={550} miw={0}>
          <AccountLink id={account_id} />
        </Text>
        <Text size="xs" c="dimmed" style={{ flex: 'none' }}>
          <Timestamp at={at} />
        </Text>
      </Group>
      <Group gap={6} wrap="nowrap" align="baseline">
        <Swatch colour={`var(--${kind})`} />
        <Text size="xs" c="dimmed" miw={0} lineClamp={2} className="breakable">
          <Text span inherit c="var(--mantine-color-text)">
            {KINDS[kind]}
          </Text>
          {showsOrigin && <Origin change={change} />}
          <ChangedFields change={change} />
        </Text>
      </Group>
    </li>
  );
}

/** The person, or else the source, and the run. The key, if they are not known. */
function Origin({ change }: { change: Change }) {
  const { source, run_id, user } = change;
  if (user !== null) {
    return (
      <>
        {' by '}
        <Person user={user} />
        {run_id !== null && ', '}
        <SourceAndRun source={null} runId={run_id} />
      </>
    );
  }
  if (source === null && run_id === null) {
    return (
      <>
        {' by '}
        <SenderName of={change} />
      </>
    );
  }
  return (
    <>
      {' by '}
      <SourceAndRun source={source} runId={run_id} />
    </>
  );
}
