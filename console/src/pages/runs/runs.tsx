import { Anchor, Button, Stack } from '@mantine/core';
import { Link } from 'wouter';
import { useRuns } from '../../api/runs';
import { useScopes } from '../../api/session';
import { EmptyState } from '../../components/empty-state';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { ShowMore } from '../../components/show-more';
import { SkeletonLines } from '../../components/skeleton-lines';
import { IconFilterOff, IconRefresh } from '../../icons/icons.js';
import { RunFilterBar } from './run-filter-bar';
import { isFiltered, NO_RUN_FILTERS, selectionOf, useRunFilters } from './run-filters';
import { RunList } from './run-list';

/** Runs of all sources, newest first. */
export default function Runs() {
  const [filters, change] = useRunFilters();
  const query = useRuns(selectionOf(filters));
  return (
    <>
      <PageHead
        title="Runs"
        description="What each source has sent, newest first. A run is the requests of one source that belong together."
      />
      <RunFilterBar filters={filters} onChange={change} />
      <QueryView query={query} loading={<SkeletonLines lines={10} height={44} />}>
        {({ pages }) => {
          const runs = pages.flatMap(({ data }) => data);
          if (runs.length > 0) {
            return (
              <Stack gap={0} aria-busy={query.isPlaceholderData}>
                <RunList runs={runs} />
                <ShowMore query={query} />
              </Stack>
            );
          }
          return isFiltered(filters) ? <NothingFound onClear={() => change(NO_RUN_FILTERS)} /> : <NoRuns />;
        }}
      </QueryView>
    </>
  );
}

function NoRuns() {
  const { maySync } = useScopes();
  return (
    <EmptyState icon={IconRefresh} title="No runs yet">
      A run begins with the first record that a source sends, and ends after some minutes without one. A
      source can also open a run, and finish it when everything is sent.{' '}
      {maySync && (
        <>
          To begin one, send a record with{' '}
          <Anchor component={Link} href="/try" inherit underline="always">
            Try it
          </Anchor>
          .
        </>
      )}
    </EmptyState>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={IconFilterOff}
      title="No matching runs"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      No run matches all of these filters.
    </EmptyState>
  );
}
