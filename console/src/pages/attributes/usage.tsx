import { Group, Progress, Text } from '@mantine/core';
import { formatNumber, formatShare } from '../../components/format';

interface UsageProps {
  readonly accounts: number;
  /** Number of all accounts; undefined while loading. */
  readonly total: number | undefined;
}

/** Number and share of accounts with a value. */
export function Usage({ accounts, total }: UsageProps) {
  const share = total === undefined || total === 0 ? 0 : Math.min(1, accounts / total);
  return (
    <>
      <Group gap={6} wrap="nowrap" justify="space-between">
        <Text size="sm" className="numbers">
          {formatNumber(accounts)}
        </Text>
        <Text size="xs" c="dimmed" className="numbers">
          {formatShare(share)}
        </Text>
      </Group>
      <Progress value={share * 100} size={4} mt={4} aria-hidden />
    </>
  );
}
