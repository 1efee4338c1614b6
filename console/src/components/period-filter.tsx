import { Group, SegmentedControl, TextInput, VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { NO_PERIOD, type PeriodParameters } from './period';
import type { useQueryParameters } from './use-url';

interface PeriodFilterProps {
  readonly period: PeriodParameters;
  readonly onChange: ReturnType<typeof useQueryParameters>[1];
}

const NAMES = [
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last day' },
  { value: 'all', label: 'All' },
  { value: 'range', label: 'Custom' },
];

/** Times are entered in the local time zone. The URL has them in UTC, so that a link means the same everywhere. */
export function PeriodFilter({ period: { last, since, until }, onChange }: PeriodFilterProps) {
  const labelId = useId();
  const isRange = since !== undefined || until !== undefined;
  const choose = (period: string) => {
    if (period === 'range') onChange({ ...NO_PERIOD, since: yesterday() });
    else onChange({ ...NO_PERIOD, last: period === 'all' ? undefined : period });
  };
  return (
    <Group gap="sm" align="flex-end">
      <VisuallyHidden id={labelId}>Time</VisuallyHidden>
      <SegmentedControl
        aria-labelledby={labelId}
        // Narrow padding, so that it fits on a phone.
        styles={{ label: { paddingInline: 8 } }}
        data={NAMES}
        value={isRange ? 'range' : (last ?? 'all')}
        onChange={choose}
      />
      {isRange && (
        <>
          <TextInput
            type="datetime-local"
            label="From"
            value={localText(since)}
            onChange={(event) => onChange({ since: utcText(event.currentTarget.value) })}
          />
          <TextInput
            type="datetime-local"
            label="To"
            value={localText(until)}
            onChange={(event) => onChange({ until: utcText(event.currentTarget.value) })}
          />
        </>
      )}
    </Group>
  );
}

function yesterday(): string {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).toISOString();
}

/** Format of `datetime-local` inputs: without a time zone, to the minute. */
function localText(time: string | undefined): string {
  const at = new Date(time ?? '');
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function utcText(local: string): string | undefined {
  return local === '' ? undefined : new Date(local).toISOString();
}
