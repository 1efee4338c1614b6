import type { Run } from '@account-sync/client';
import { Anchor, Group } from '@mantine/core';
import { Link } from 'wouter';
import { useKeyLabels } from '../../api/keys';
import { useSourceLabel } from '../../api/sources';
import { PageHead } from '../../components/page-head';
import { RunDuration } from '../../components/run-duration';
import { RunState } from '../../components/run-state';
import { Timestamp } from '../../components/timestamp';

/** How the run began. */
const KINDS = {
  explicit: 'Opened by the source',
  implicit: 'Began with its first request',
} as const;

export function RunHead({ run }: { run: Run }) {
  const { id, source, state, kind, key_id, started_at, ended_at, last_request_at } = run;
  const sourceLabel = useSourceLabel()(source);
  const keyLabel = useKeyLabels().get(key_id);
  return (
    <PageHead
      title={`Run ${id} of ${sourceLabel}`}
      description={
        <Group gap="2px 16px">
          <RunState state={state} />
          <Anchor component={Link} href={`/runs?${new URLSearchParams({ source })}`} inherit>
            All runs of {sourceLabel}
          </Anchor>
          <span>
            Started <Timestamp at={started_at} />
          </span>
          {ended_at === null ? (
            <span>
              Last request <Timestamp at={last_request_at} />
            </span>
          ) : (
            <span>
              Ended <Timestamp at={ended_at} />
            </span>
          )}
          <span>
            Duration <RunDuration run={run} />
          </span>
          <span>Key {keyLabel ? `${keyLabel} (${key_id})` : key_id}</span>
          <span>{KINDS[kind]}</span>
        </Group>
      }
    />
  );
}
