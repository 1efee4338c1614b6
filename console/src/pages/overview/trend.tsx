import { Group } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight, IconEqual } from '@tabler/icons-react';
import { formatNumber } from '../../parts/format';

/** How a number compares with the one of the period before, where that is known. */
export function Trend({ now, before }: { now: number; before: number | undefined }) {
  if (before === undefined) return null;
  const [Icon, word] =
    now === before
      ? [IconEqual, 'as before']
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
