import { Button, Group, NativeSelect, Paper, SimpleGrid, Stack } from '@mantine/core';
import { PeriodFilter } from '../../components/period-filter';
import { RUN_STATES } from '../../components/run-state';
import { SourceSelect } from '../../components/source-select';
import { IconFilterOff } from '../../icons/icons.js';
import { type ChangeRunFilters, isFiltered, NO_RUN_FILTERS, type RunFilters } from './run-filters';

interface RunFilterBarProps {
  readonly filters: RunFilters;
  readonly onChange: ChangeRunFilters;
}

export function RunFilterBar({ filters, onChange }: RunFilterBarProps) {
  return (
    <Paper p="md" mb="lg">
      <Stack gap="md">
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
          <SourceSelect
            none="All sources"
            value={filters.source}
            onSource={(source) => onChange({ source })}
          />
          <NativeSelect
            label="State"
            data={[
              { value: '', label: 'All states' },
              ...Object.entries(RUN_STATES).map(([value, label]) => ({ value, label })),
            ]}
            value={filters.state ?? ''}
            onChange={(event) => onChange({ state: event.currentTarget.value })}
          />
        </SimpleGrid>
        <Group gap="sm" align="flex-end" justify="space-between">
          <PeriodFilter period={filters.period} onChange={onChange} />
          {isFiltered(filters) && (
            <Button
              variant="subtle"
              leftSection={<IconFilterOff size={16} aria-hidden />}
              onClick={() => onChange(NO_RUN_FILTERS)}
            >
              Clear filters
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
