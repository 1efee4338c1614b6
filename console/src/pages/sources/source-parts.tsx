import type { Source } from '@account-sync/client';
import { Badge, Button, Group, Text } from '@mantine/core';
import { formatInterval } from '../../components/duration';
import { RunLink } from '../../components/run-link';
import { Timestamp } from '../../components/timestamp';

/** Actions on a source. Only administrators have them. */
export interface SourceActions {
  readonly onEdit: (source: Source) => void;
  readonly onRemove: (source: Source) => void;
}

export function SourceName({ source: { name, label, is_tracked } }: { source: Source }) {
  return (
    <>
      <Text size="sm" fw={600} className="breakable">
        {label}
      </Text>
      <Text size="xs" c="dimmed" ff="monospace" className="breakable">
        {name}
      </Text>
      {is_tracked && (
        <Text size="xs" c="dimmed">
          Accounts remembered
        </Text>
      )}
    </>
  );
}

/** Whether the source is on time, and since when it is late. */
export function Freshness({ source }: { source: Source }) {
  const { expect_every_seconds, grace_seconds, is_late, next_expected_at } = source;
  if (expect_every_seconds === null || next_expected_at === null) {
    return (
      <Text span size="sm" c="dimmed">
        Not expected regularly
      </Text>
    );
  }
  const lateSince = new Date(Date.parse(next_expected_at) + grace_seconds * 1_000).toISOString();
  return (
    <>
      <Badge color={is_late ? 'red' : 'teal'} size="sm" miw="max-content">
        {is_late ? 'Late' : 'On time'}
      </Badge>
      {is_late && (
        <Text size="xs">
          since <Timestamp at={lateSince} />
        </Text>
      )}
    </>
  );
}

/** How often runs are expected, in words; undefined if they are not. */
export function expectationText({ expect_every_seconds, grace_seconds }: Source): string | undefined {
  if (expect_every_seconds === null) return undefined;
  const every = `every ${formatInterval(expect_every_seconds)}`;
  return grace_seconds === 0 ? every : `${every}, ${formatInterval(grace_seconds)} grace`;
}

export function NextRun({ source }: { source: Source }) {
  if (source.next_expected_at === null) return '–';
  return (
    <>
      <Timestamp at={source.next_expected_at} />
      <Text size="xs" c="dimmed">
        {expectationText(source)}
      </Text>
    </>
  );
}

/** Links to the run, if it is among the recent ones. */
export function LastFinishedRun({ source: { last_finished_at, recent_runs } }: { source: Source }) {
  if (last_finished_at === null) return 'Never';
  const run = recent_runs.find(
    ({ state, ended_at }) => state === 'finished' && ended_at === last_finished_at,
  );
  const time = <Timestamp at={last_finished_at} />;
  return run === undefined ? time : <RunLink id={run.id}>{time}</RunLink>;
}

export function SourceButtons({ source, onEdit, onRemove }: SourceActions & { source: Source }) {
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Edit ${source.label}`}
        onClick={() => onEdit(source)}
      >
        Edit
      </Button>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        size="compact-sm"
        aria-label={`Remove ${source.label}`}
        onClick={() => onRemove(source)}
      >
        Remove
      </Button>
    </Group>
  );
}
