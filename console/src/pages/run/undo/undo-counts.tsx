import type { UndoSummary } from '@account-sync/client';
import { SimpleGrid, Text } from '@mantine/core';
import { formatNumber } from '../../../components/format';

const COUNTS = [
  { name: 'updated', label: 'Updated' },
  { name: 'archived', label: 'Archived' },
  { name: 'restored', label: 'Restored' },
  { name: 'conflicts', label: 'Conflicts' },
] as const;

export function UndoCounts({ summary }: { summary: UndoSummary }) {
  return (
    <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="sm" component="dl" m={0}>
      {COUNTS.map(({ name, label }) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fz={22} fw={650} className="numbers">
            {formatNumber(summary[name])}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
