import { Button, Group, NativeSelect, Paper, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useKeyLabels } from '../../api/keys';
import type { Rejection } from '../../api/rejections';
import { DebouncedInput } from '../../components/debounced-input';
import { NO_PERIOD } from '../../components/period';
import { PeriodFilter } from '../../components/period-filter';
import { personName } from '../../components/sender-name';
import { SourceSelect } from '../../components/source-select';
import { IconFilterOff, IconSearch } from '../../icons/icons.js';
import type { ChangeFilters, Filters } from './filters';
import { OPERATIONS } from './operations';

interface FilterBarProps {
  readonly filters: Filters;
  readonly onChange: ChangeFilters;
  /** Unfiltered: the keys and people to choose from are taken from here. */
  readonly rejections: readonly Rejection[];
  /** The time chart. */
  readonly children: ReactNode;
}

export function FilterBar({ filters, onChange, rejections, children }: FilterBarProps) {
  const labels = useKeyLabels();
  const { open: _, ...narrowing } = filters;
  const { key } = filters;
  const names = new Map<string, string>(key === undefined ? [] : [[key, labels.get(key) || key]]);
  for (const { key_id, user } of rejections) {
    if (user !== null) names.set(user.id, personName(user));
    else if (key_id !== null) names.set(key_id, labels.get(key_id) || key_id);
  }
  const senders = [...names]
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return (
    <Paper p="md" mb="lg">
      <Stack gap="md">
        <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm">
          <DebouncedInput
            label="Text"
            placeholder="Search in all fields"
            leftSection={<IconSearch size={16} aria-hidden />}
            value={filters.text ?? ''}
            onValue={(text) => onChange({ text })}
          />
          <SourceSelect
            none="All sources"
            value={filters.source}
            onSource={(source) => onChange({ source })}
          />
          <NativeSelect
            label="Key or person"
            data={[{ value: '', label: 'All' }, ...senders]}
            value={filters.key ?? ''}
            onChange={(event) => onChange({ key: event.currentTarget.value })}
          />
          <NativeSelect
            label="Operation"
            data={[
              { value: '', label: 'All operations' },
              ...Object.entries(OPERATIONS).map(([value, label]) => ({ value, label })),
            ]}
            value={filters.operation ?? ''}
            onChange={(event) => onChange({ operation: event.currentTarget.value })}
          />
          <DebouncedInput
            label="Account"
            placeholder="Full account id"
            value={filters.account ?? ''}
            onValue={(account) => onChange({ account: account.trim() })}
            maxLength={191}
          />
        </SimpleGrid>
        <Group gap="sm" align="flex-end" justify="space-between">
          <PeriodFilter period={filters} onChange={onChange} />
          {Object.keys(narrowing).length > 0 && (
            <Button
              variant="subtle"
              leftSection={<IconFilterOff size={16} aria-hidden />}
              onClick={() => onChange(NO_FILTERS)}
            >
              Clear filters
            </Button>
          )}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

export const NO_FILTERS = {
  ...NO_PERIOD,
  source: undefined,
  key: undefined,
  operation: undefined,
  account: undefined,
  text: undefined,
};
