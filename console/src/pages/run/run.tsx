import type { RunDetails } from '@account-sync/client';
import { Stack } from '@mantine/core';
import { ApiError } from '../../api/call';
import { useRun } from '../../api/runs';
import { ErrorState } from '../../components/error-state';
import { PageHead } from '../../components/page-head';
import { SkeletonLines } from '../../components/skeleton-lines';
import { useRawPathSegment } from '../../components/use-url';
import { FieldsPanel } from './fields-panel';
import { MissingPanel } from './missing-panel';
import { NoRun } from './no-run';
import { RunChanges } from './run-changes';
import { RunFigures } from './run-figures';
import { RunHead } from './run-head';
import { RunRejections } from './run-rejections';

/** Page of one run. */
export default function RunPage() {
  const id = useRawPathSegment('runs');
  return <OneRun key={id} id={id} />;
}

function OneRun({ id }: { id: string }) {
  const { data: run, error, isError, refetch } = useRun(id);
  if (run !== undefined) return <Found run={run} />;
  if (error instanceof ApiError && error.status === 404) return <NoRun id={id} />;
  return (
    <>
      <PageHead title={`Run ${id}`} />
      {isError ? (
        <ErrorState error={error} retry={() => refetch()} />
      ) : (
        <SkeletonLines lines={9} height={44} />
      )}
    </>
  );
}

function Found({ run }: { run: RunDetails }) {
  return (
    <>
      <RunHead run={run} />
      <Stack gap="md">
        <RunFigures run={run} />
        <FieldsPanel run={run} />
        {/* An undo takes no records that could be rejected. */}
        {run.undo === null && <RunRejections run={run} />}
        <MissingPanel run={run} />
        <RunChanges run={run} />
      </Stack>
    </>
  );
}
