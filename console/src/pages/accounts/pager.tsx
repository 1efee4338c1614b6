import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { Place } from '../../api/account-list';
import { formatNumber } from '../../parts/format';
import { LIMITS, SLIM } from './listing';
import type { ListingState } from './use-listing';

interface PagerProps {
  readonly state: ListingState;
  /** Undefined on the last page. */
  readonly next: Place | undefined;
  readonly range: string;
}

export function Pager({ state, next, range }: PagerProps) {
  const { listing, choose, goOn, goBack, knowsPrevious } = state;
  return (
    <Group justify="space-between" gap="sm" mt="md">
      <Text size="sm" c="dimmed" className="numbers" role="status">
        {range}
      </Text>
      <Group gap={6} wrap="nowrap">
        <NativeSelect
          aria-label="Accounts a page"
          data={LIMITS.map((limit) => ({ value: String(limit), label: `${limit} a page` }))}
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
          onClick={() => next && goOn(next)}
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

/** As in “51–100 of 5,012”; nothing while there is nothing to see. The last page knows how many there are, whatever was counted. */
export function rangeWords({ before, shown, isLast, count }: Range): string {
  const last = before + shown;
  if (shown === 0) return '';
  const range = `${formatNumber(before + 1)}–${formatNumber(last)}`;
  if (isLast) return `${range} of ${formatNumber(last)}`;
  if (count === undefined) return range;
  // What was counted a moment ago may be less than what is shown now.
  const total = formatNumber(Math.max(count.accounts, last));
  return `${range} of ${count.is_exact ? '' : 'at least '}${total}`;
}
