import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import css from './figure.module.css';
import { formatNumber } from './format';

interface FigureProps {
  readonly label: string;
  /** Undefined while loading. */
  readonly value: number | undefined;
  /** Spans two columns if the figures do not fit into one row. */
  readonly isWide?: boolean;
  readonly children?: ReactNode;
}

/** A number with its label, and a note below. */
export function Figure({ label, value, isWide = false, children }: FigureProps) {
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

/** More columns are too narrow for a number of seven digits. */
const MAX_COLUMNS = 6;

interface FigureGridProps {
  /** The number of figures. If it is odd, the first one is wide. */
  readonly count?: number;
  readonly children: ReactNode;
}

export function FigureGrid({ count = 5, children }: FigureGridProps) {
  const fitsRow = count <= MAX_COLUMNS;
  return (
    <SimpleGrid
      cols={{ base: 2, sm: 3, lg: fitsRow ? count : 4 }}
      spacing="md"
      component="dl"
      m={0}
      className={fitsRow ? css.row : undefined}
    >
      {children}
    </SimpleGrid>
  );
}
