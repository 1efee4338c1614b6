import { SimpleGrid, Text } from '@mantine/core';
import { formatNumber } from './format';

interface CountsProps {
  readonly counts: readonly { readonly label: string; readonly value: number }[];
}

/** Large numbers with their labels, in a row. */
export function Counts({ counts }: CountsProps) {
  return (
    <SimpleGrid cols={{ base: 2, xs: counts.length }} spacing="sm" component="dl" m={0}>
      {counts.map(({ label, value }) => (
        <div key={label}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fz={22} fw={650} className="numbers">
            {formatNumber(value)}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
