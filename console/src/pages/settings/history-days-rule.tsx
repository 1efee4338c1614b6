import { Text } from '@mantine/core';
import { plural } from '../../components/format';
import { DaysRule } from './days-rule';

export function HistoryDaysRule({ current }: { current: number | null }) {
  return (
    <DaysRule
      title="History"
      description="How long changes of accounts are kept."
      field="history_days"
      current={current}
      max={36_500}
      suggested={365}
      none={{
        label: 'No limit',
        description: 'Changes are kept until their account is deleted.',
      }}
      some={{
        label: 'Limited number of days',
        description:
          'Older changes are removed, including their values. Each account keeps its last change. Accounts and statistics do not change.',
      }}
      saved={(days) => `Saved. Changes are kept ${periodText(days)}.`}
      ask={(days) => (isShorter(days, current) ? removal(days) : extension(days))}
    />
  );
}

function removal(days: number) {
  return {
    action: 'Remove older changes',
    text: (
      <>
        <Text size="sm" fw={600}>
          Changes older than {plural(days, 'day')} will be removed permanently.
        </Text>
        Removal starts within a minute and cannot be undone. The removed changes are then missing from the
        history and from the change feed, also for systems that have not read them yet. Accounts do not
        change, and each keeps its last change.
      </>
    ),
  };
}

function extension(days: number | null) {
  return {
    action: 'Keep changes for longer',
    text: `Changes will be kept ${periodText(days)}. Changes that were already removed are not restored.`,
  };
}

function periodText(days: number | null): string {
  return days === null ? 'without a time limit' : `for ${plural(days, 'day')}`;
}

function isShorter(days: number | null, current: number | null): days is number {
  return days !== null && (current === null || days < current);
}
