import type { RunDetails } from '@account-sync/client';
import { Anchor, Group } from '@mantine/core';
import { Link } from 'wouter';
import { useRun } from '../../api/runs';
import { useScopes } from '../../api/session';
import { useSourceLabel } from '../../api/sources';
import { PageHead } from '../../components/page-head';
import { RunDuration } from '../../components/run-duration';
import { RunLink } from '../../components/run-link';
import { RunState } from '../../components/run-state';
import { SenderName } from '../../components/sender-name';
import { Timestamp } from '../../components/timestamp';
import { missingText } from './missing-text';
import { UndoButton } from './undo/undo-button';
import { undoneText } from './undo/undo-plan';

/** How the run began. */
const KINDS = {
  explicit: 'Opened by the source',
  implicit: 'Began with its first request',
} as const;

/** Which records are skipped. */
const MODES = {
  'update-only': 'Update-only: creates no accounts',
  'create-only': 'Create-only: changes no existing accounts',
} as const;

export function RunHead({ run }: { run: RunDetails }) {
  const { id, source, state, started_at, ended_at, last_request_at } = run;
  const sourceLabel = useSourceLabel()(source);
  const { maySync } = useScopes();
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
          <span>
            <SenderName of={run} isFirst />
          </span>
          <span>
            <Kind run={run} />
          </span>
          {run.mode !== 'upsert' && <span>{MODES[run.mode]}</span>}
          {run.missing !== null && <span>{missingText(run, run.missing)}</span>}
          {run.undone_by !== null && <UndoneBy id={run.undone_by} />}
        </Group>
      }
      actions={maySync && <UndoButton run={run} />}
    />
  );
}

function Kind({ run: { kind, undo } }: { run: RunDetails }) {
  if (kind !== 'undo') return KINDS[kind];
  if (undo === null) return 'Undo';
  return (
    <>
      Undo of {undo.request_id !== null && <>request {undo.request_id} of </>}
      <RunLink id={undo.run_id} underline="always" />
      {undo.force && ', with conflicts'}
    </>
  );
}

function UndoneBy({ id }: { id: string }) {
  const { data } = useRun(id);
  return (
    <span>
      {undoneText(data)} <RunLink id={id} underline="always" />
    </span>
  );
}
