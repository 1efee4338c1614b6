import { Button, Group, NativeSelect, Text } from '@mantine/core';
import type { PagePosition } from '../../api/account-list';
import { formatNumber } from '../../components/format';
import { IconChevronLeft, IconChevronRight } from '../../icons/icons.js';
import { LIMITS, SLIM } from './listing';
import type { ListingState } from './use-listing';

interface PagerProps {
  readonly state: ListingState;
  /** Undefined on the last page. */
  readonly next: PagePosition | undefined;
  readonly range: string;
}

export function Pager({ state, next, range }: PagerProps) {
  const { listing, choose, goForward, goBack, knowsPrevious } = state;
  return (
    <Group justify="space-between" gap="sm" mt="md">
      <Text size="sm" c="dimmed" className="numbers" role="status">
        {range}
      </Text>
      <Group gap={6} wrap="nowrap">
        <NativeSelect
          aria-label="Accounts per page"
          data={LIMITS.map((limit) => ({ value: String(limit), label: `${limit} per page` }))}
          value={String(listing.limit)}
          onChange={(event) => choose({ limit: Number(event.currentTarget.value) })}
        />
        <Button
          variant="default"
          px={SLIM}
          leftSection={<IconChevronLeft size={16} aria-hidden />}
          disabled={goBack === undefined}
          onClick={goBack}
        >
          {goBack !== undefined && !knowsPrevious ? 'First page' : 'Previous'}
        </Button>
        <Button
          variant="default"
          px={SLIM}
          rightSection={<IconChevronRight size={16} aria-hidden />}
          disabled={next === undefined}
          onClick={() => next && goForward(next)}
        >
          Next
        </Button>
      </Group>
    </Group>
  );
}

interface Range {
  readonly before: number;
  readonly shown: number;
  readonly isLast: boolean;
  readonly count: { readonly accounts: number; readonly is_exact: boolean } | undefined;
}

/** Such as “51–100 of 5,012”; empty without accounts. On the last page, the total is exact. */
export function rangeText({ before, shown, isLast, count }: Range): string {
  const last = before + shown;
  if (shown === 0) return '';
  const range = `${formatNumber(before + 1)}–${formatNumber(last)}`;
  if (isLast) return `${range} of ${formatNumber(last)}`;
  if (count === undefined) return range;
  // The count is slightly older than the page, so it may be less than what is shown.
  const total = formatNumber(Math.max(count.accounts, last));
  return `${range} of ${count.is_exact ? '' : 'at least '}${total}`;
}
