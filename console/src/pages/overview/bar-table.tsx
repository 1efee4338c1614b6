import { ScrollArea, Table } from '@mantine/core';
import { formatNumber } from '../../components/format';
import type { Bar } from './activity';
import { barName } from './bar-names';
import type { Period } from './periods';
import { PERIODS } from './periods';
import type { Series } from './series';

interface BarTableProps {
  readonly period: Period;
  readonly bars: readonly Bar[];
  readonly series: readonly Series[];
  readonly height: number;
  readonly label: string;
}

/** The numbers of a chart as a table, newest first. */
export function BarTable({ period, bars, series, height, label }: BarTableProps) {
  const { bar } = PERIODS[period];
  return (
    <ScrollArea
      h={height}
      type="auto"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': `${label} as a table` }}
    >
      <Table stickyHeader verticalSpacing={4} className="numbers" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th tt="capitalize">{bar}</Table.Th>
            {series.map(({ name, label }) => (
              <Table.Th key={name} ta="right">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bars.toReversed().map((at) => (
            <Table.Tr key={at.start}>
              <Table.Th scope="row" fw={400}>
                {barName(period, at.start)}
              </Table.Th>
              {series.map(({ name }) => (
                <Table.Td key={name} ta="right">
                  {formatNumber(at[name])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}
