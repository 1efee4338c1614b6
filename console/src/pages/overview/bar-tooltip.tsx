import { Group, Text } from '@mantine/core';
import { formatNumber } from '../../components/format';
import { Swatch } from '../../components/swatch';
import type { Bar } from './activity';
import css from './overview.module.css';
import type { Series } from './series';

interface BarTooltipProps {
  readonly title: string;
  /** Whether its time is not over yet. */
  readonly isCurrent: boolean;
  readonly bar: Bar;
  readonly series: readonly Series[];
  readonly left: number;
}

/** Hidden from screen readers: the range input of the chart reports the same text. */
export function BarTooltip({ title, isCurrent, bar, series, left }: BarTooltipProps) {
  return (
    <div className={css.tooltip} style={{ left }} aria-hidden>
      <Text size="xs" fw={600}>
        {title}
        {isCurrent && ' (so far)'}
      </Text>
      {series.toReversed().map(({ name, label, colour }) => (
        <Group key={name} justify="space-between" gap="md" wrap="nowrap">
          <Group gap={6} wrap="nowrap">
            <Swatch colour={colour} />
            <Text size="xs">{label}</Text>
          </Group>
          <Text size="xs" className="numbers">
            {formatNumber(bar[name])}
          </Text>
        </Group>
      ))}
    </div>
  );
}
