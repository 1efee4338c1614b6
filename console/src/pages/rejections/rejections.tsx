import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { KEPT_PER_SECOND, KEPT_REJECTIONS, type Rejection, useRejections } from '../../api/rejections';
import { EmptyState } from '../../components/empty-state';
import { formatNumber, plural } from '../../components/format';
import { PageHead } from '../../components/page-head';
import { type Period, usePeriod } from '../../components/period';
import { QueryView } from '../../components/query-view';
import { SkeletonLines } from '../../components/skeleton-lines';
import { useNow } from '../../components/use-now';
import { IconCircleCheck, IconFilterOff } from '../../icons/icons.js';
import { FilterBar, NO_FILTERS } from './filter-bar';
import { type ChangeFilters, type Filters, filterRejections, useFilters } from './filters';
import { GroupList } from './group-list';
import { groupRejections } from './group-rejections';
import { KeptNote } from './kept-note';
import { timeBars } from './time-bars';
import { TimeBarsView } from './time-bars-view';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Rejected records and requests, grouped by error, with advice on each error. */
export default function Rejections() {
  const [filters, change] = useFilters();
  const query = useRejections({ account_id: filters.account });
  return (
    <>
      <PageHead
        title="Rejections"
        description="Records and requests of the last days that were not stored, grouped by error."
      />
      <QueryView query={query} loading={<Loading />}>
        {(rejections) =>
          rejections.length === 0 && filters.account === undefined ? (
            <NothingRejected />
          ) : (
            <Found
              rejections={rejections}
              listReadAt={query.dataUpdatedAt}
              filters={filters}
              change={change}
            />
          )
        }
      </QueryView>
    </>
  );
}

interface FoundProps {
  readonly rejections: readonly Rejection[];
  readonly listReadAt: number;
  readonly filters: Filters;
  readonly change: ChangeFilters;
}

function Found({ rejections, listReadAt, filters, change }: FoundProps) {
  const period = usePeriod(filters);
  const found = filterRejections(rejections, filters, period);
  const groups = groupRejections(found);
  const { open, ...narrowing } = filters;
  return (
    <>
      <FilterBar filters={filters} onChange={change} rejections={rejections}>
        <OverTime rejections={rejections} found={found} period={period} change={change} />
      </FilterBar>
      <Text size="sm" c="dimmed" mb="sm" role="status">
        {found.length === 0
          ? 'No rejections'
          : `${plural(found.length, 'rejection')} for ${plural(groups.length, 'reason')}`}
      </Text>
      {filters.account === undefined && (
        <KeptNote rejections={rejections} listReadAt={listReadAt} period={period} />
      )}
      {found.length === 0 ? (
        <NothingFound onClear={() => change(NO_FILTERS)} />
      ) : (
        <GroupList
          key={JSON.stringify(narrowing)}
          groups={groups}
          open={open}
          onOpen={(key) => change({ open: key })}
        />
      )}
      <Text size="xs" c="dimmed" mt="lg">
        Details are stored for a limited number of days, for the newest {formatNumber(KEPT_REJECTIONS)}{' '}
        rejections of a tenant and for about {KEPT_PER_SECOND} per second. Other rejections are only counted.
        “Validate” in Try it records no rejections.
      </Text>
    </>
  );
}

interface OverTimeProps {
  readonly rejections: readonly Rejection[];
  readonly found: readonly Rejection[];
  readonly period: Period;
  readonly change: ChangeFilters;
}

/** Covers the filtered time range, or all rejections but at least one day. */
function OverTime({ rejections, found, period, change }: OverTimeProps) {
  const now = useNow();
  const oldest = Math.min(Date.parse(rejections.at(-1)?.at ?? '') || now, now - DAY_MS);
  const from = Number.isFinite(period.from) ? period.from : oldest;
  const to = Math.max(Number.isFinite(period.to) ? period.to : now, from + MINUTE_MS);
  const times = found.map(({ at }) => Date.parse(at));
  const iso = (at: number) => new Date(at).toISOString();
  return (
    <TimeBarsView
      bars={timeBars(times, from, to)}
      onPick={({ start, end }) => change({ last: undefined, since: iso(start), until: iso(end) })}
    />
  );
}

function NothingRejected() {
  return (
    <EmptyState icon={IconCircleCheck} title="No rejections in the last days">
      A record that is rejected appears here about a second later, with the received data, the error, and
      advice on how to fix it. The newest {formatNumber(KEPT_REJECTIONS)} are stored.
    </EmptyState>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={IconFilterOff}
      title="No matching rejections"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      No rejection matches all of these filters.
    </EmptyState>
  );
}

function Loading() {
  return (
    <Stack gap="lg">
      <Skeleton height={270} radius="md" />
      <SkeletonLines lines={8} height={66} />
    </Stack>
  );
}
