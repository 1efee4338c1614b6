import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconFilterOff } from '@tabler/icons-react';
import { KEPT_A_SECOND, KEPT_REJECTIONS, type Rejection, useRejections } from '../../api/rejections';
import { EmptyState } from '../../parts/empty-state';
import { formatNumber, plural } from '../../parts/format';
import { LinesLoading } from '../../parts/lines-loading';
import { PageHead } from '../../parts/page-head';
import { QueryView } from '../../parts/query-view';
import { useNow } from '../../parts/use-now';
import { FilterBar, NO_FILTERS } from './filter-bar';
import {
  type ChangeFilters,
  type Filters,
  filterRefusals,
  type Period,
  useFilters,
  usePeriod,
} from './filters';
import { GroupList } from './group-list';
import { groupRefusals } from './group-refusals';
import { KeptNote } from './kept-note';
import { timeBars } from './time-bars';
import { TimeBarsView } from './time-bars-view';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Why records were refused, by what was wrong with them, and how that is put right. */
export default function Refusals() {
  const [filters, change] = useFilters();
  const query = useRejections(filters.account);
  return (
    <>
      <PageHead
        title="Refusals"
        description="What was sent in the last days and not stored, by what was wrong with it."
      />
      <QueryView query={query} loading={<Loading />}>
        {(refusals) =>
          refusals.length === 0 && filters.account === undefined ? (
            <NothingRefused />
          ) : (
            <Found refusals={refusals} askedAt={query.dataUpdatedAt} filters={filters} change={change} />
          )
        }
      </QueryView>
    </>
  );
}

interface FoundProps {
  readonly refusals: readonly Rejection[];
  readonly askedAt: number;
  readonly filters: Filters;
  readonly change: ChangeFilters;
}

function Found({ refusals, askedAt, filters, change }: FoundProps) {
  const period = usePeriod(filters);
  const found = filterRefusals(refusals, filters, period);
  const groups = groupRefusals(found);
  const { open, ...narrowing } = filters;
  return (
    <>
      <FilterBar filters={filters} onChange={change} refusals={refusals}>
        <OverTime refusals={refusals} found={found} period={period} change={change} />
      </FilterBar>
      <Text size="sm" c="dimmed" mb="sm" role="status">
        {found.length === 0
          ? 'No refusals'
          : `${plural(found.length, 'refusal')} for ${plural(groups.length, 'reason')}`}
      </Text>
      {filters.account === undefined && <KeptNote refusals={refusals} askedAt={askedAt} period={period} />}
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
        The newest {formatNumber(KEPT_REJECTIONS)} refusals of a tenant are kept, for some days, and about{' '}
        {KEPT_A_SECOND} a second: others are only counted. Checks that store nothing (“Validate”) leave none.
      </Text>
    </>
  );
}

interface OverTimeProps {
  readonly refusals: readonly Rejection[];
  readonly found: readonly Rejection[];
  readonly period: Period;
  readonly change: ChangeFilters;
}

/** Of the time that is looked at, or of all that there is, and of a day at least. */
function OverTime({ refusals, found, period, change }: OverTimeProps) {
  const now = useNow();
  const oldest = Math.min(Date.parse(refusals.at(-1)?.at ?? '') || now, now - DAY_MS);
  const from = Number.isFinite(period.from) ? period.from : oldest;
  const to = Math.max(Number.isFinite(period.to) ? period.to : now, from + MINUTE_MS);
  const moments = found.map(({ at }) => Date.parse(at));
  const iso = (at: number) => new Date(at).toISOString();
  return (
    <TimeBarsView
      bars={timeBars(moments, from, to)}
      onPick={({ start, end }) => change({ last: undefined, since: iso(start), until: iso(end) })}
    />
  );
}

function NothingRefused() {
  return (
    <EmptyState icon={IconCircleCheck} title="Nothing was refused in the last days">
      When a single account, a batch or an import holds something that is not stored, it appears here about a
      second later: with the record as it was received, what was wrong with it, and how to put that right. The
      newest {formatNumber(KEPT_REJECTIONS)} are kept.
    </EmptyState>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={IconFilterOff}
      title="No refusal matches"
      action={
        <Button variant="default" onClick={onClear}>
          Clear the filters
        </Button>
      }
    >
      Nothing that was refused fits all of these filters.
    </EmptyState>
  );
}

function Loading() {
  return (
    <Stack gap="lg">
      <Skeleton height={270} radius="md" />
      <LinesLoading lines={8} height={66} />
    </Stack>
  );
}
