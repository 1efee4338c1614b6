import { Group } from '@mantine/core';
import { formatNumber } from '../../components/format';
import { IconArrowDownRight, IconArrowUpRight, IconEqual } from '../../icons/icons.js';

/** Compares a number with that of the previous period, if known. */
export function Trend({ now, before }: { now: number; before: number | undefined }) {
  if (before === undefined) return null;
  const [Icon, word] =
    now === before
      ? [IconEqual, 'no change']
      : now > before
        ? [IconArrowUpRight, `up from ${formatNumber(before)}`]
        : [IconArrowDownRight, `down from ${formatNumber(before)}`];
  return (
    <Group gap={4} wrap="nowrap" component="span">
      <Icon size={14} stroke={1.8} aria-hidden />
      {word}
    </Group>
  );
}
