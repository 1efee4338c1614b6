import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '../../components/format';
import type { Activity } from './activity';
import css from './overview.module.css';
import { REJECTIONS, SYNCS } from './series';
import { Trend } from './trend';

/** Number of accounts, and the totals of the period. */
export function Figures({ activity }: { activity: Activity | undefined }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="md" component="dl" m={0}>
      <Figure label="Accounts" value={activity?.accounts} isWide>
        {activity !== undefined && <Trend now={activity.accounts} before={accountsBefore(activity)} />}
      </Figure>
      {[...SYNCS, ...REJECTIONS].map(({ name, label }) => (
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
  /** Spans two columns if the five figures do not fit into one row. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

function Figure({ label, value, isWide = false, children }: FigureProps) {
  return (
    <Paper p="md" miw={0} className={isWide ? css.wide : undefined}>
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

function accountsBefore({ accounts, total: { created, deleted } }: Activity): number {
  return accounts - created + deleted;
}
