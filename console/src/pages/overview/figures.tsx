import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '../../parts/format';
import type { Activity } from './activity';
import { PERIODS } from './periods';
import { REFUSALS, SYNCS } from './series';
import { Trend } from './trend';

/** How many there are, and what happened in the period. */
export function Figures({ activity }: { activity: Activity | undefined }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="md" component="dl" m={0}>
      <Figure label="Accounts" value={activity?.accounts}>
        {activity !== undefined && growth(activity)}
      </Figure>
      {[...SYNCS, ...REFUSALS].map(({ name, label }) => (
        <Figure key={name} label={label} value={activity?.total[name]}>
          {activity !== undefined && <Trend now={activity.total[name]} before={activity.before?.[name]} />}
        </Figure>
      ))}
    </SimpleGrid>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly children: ReactNode;
}

function Figure({ label, value, children }: FigureProps) {
  return (
    <Paper p="md" miw={0}>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fz={26} lh={1.35} fw={650} className="numbers">
        {value === undefined ? <Skeleton height={26} my={4.5} width={72} /> : formatNumber(value)}
      </Text>
      <Text component="dd" m={0} size="xs" c="dimmed" mih={19}>
        {children}
      </Text>
    </Paper>
  );
}

function growth({ period, total: { created, deleted } }: Activity): string {
  const more = created - deleted;
  const { name } = PERIODS[period];
  if (more === 0) return `As many as before ${name}`;
  return `${formatNumber(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} in ${name}`;
}
