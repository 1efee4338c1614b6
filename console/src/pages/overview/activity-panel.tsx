import { Button, Center, Group, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { formatNumber } from '../../components/format';
import { Panel } from '../../components/panel';
import { Swatch } from '../../components/swatch';
import type { Activity } from './activity';
import { BarChart } from './bar-chart';
import { BarTable } from './bar-table';
import { PERIODS } from './periods';
import type { Series } from './series';

const HEIGHT = 230;

interface ActivityPanelProps {
  readonly title: string;
  readonly series: readonly Series[];
  /** Completes “Nothing was … in the last hour”. */
  readonly verb: string;
  /** Undefined while loading. */
  readonly activity: Activity | undefined;
}

export function ActivityPanel({ title, series, verb, activity }: ActivityPanelProps) {
  const [isTable, table] = useDisclosure();
  return (
    <Panel
      title={title}
      actions={
        <Button variant="subtle" size="compact-xs" onClick={table.toggle} disabled={activity === undefined}>
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      }
    >
      <Legend series={series} />
      {activity === undefined ? (
        <Skeleton height={HEIGHT} />
      ) : isTable ? (
        <BarTable {...activity} series={series} height={HEIGHT} label={title} />
      ) : (
        <Chart title={title} series={series} verb={verb} activity={activity} />
      )}
    </Panel>
  );
}

function Chart({ title, series, verb, activity }: ActivityPanelProps & { activity: Activity }) {
  const { period, bars, total } = activity;
  const { name, bar } = PERIODS[period];
  if (series.every((one) => total[one.name] === 0)) {
    return (
      <Center h={HEIGHT} px="md">
        <Text c="dimmed" size="sm" ta="center">
          Nothing was {verb} in {name}.
        </Text>
      </Center>
    );
  }
  const totals = series
    .map((one) => `${formatNumber(total[one.name])} ${one.label.toLowerCase()}`)
    .join(', ');
  const label = `${title} by ${bar}`;
  const summary = `${label} in ${name}: ${totals}.`;
  return (
    <BarChart period={period} bars={bars} series={series} height={HEIGHT} label={label} summary={summary} />
  );
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <Group gap="sm" mb="xs">
      {series.map(({ name, label, colour }) => (
        <Group key={name} gap={6} wrap="nowrap">
          <Swatch colour={colour} />
          <Text size="xs" c="dimmed">
            {label}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
