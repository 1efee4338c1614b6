import { Text } from '@mantine/core';
import { plural } from '../../parts/format';
import { DaysRule } from './days-rule';

export function HistoryDaysRule({ current }: { current: number | null }) {
  return (
    <DaysRule
      title="History"
      description="For how long the changes of accounts are kept."
      field="history_days"
      current={current}
      most={36_500}
      suggested={365}
      none={{
        label: 'For ever',
        description: 'Every change stays, until its account is deleted.',
      }}
      some={{
        label: 'For some days',
        description:
          'Older changes are removed, with their values. Each account keeps its last change; accounts and counts stay as they are.',
      }}
      saved={(days) => `Saved: changes are kept ${periodText(days)}.`}
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
          Changes that are older than {plural(days, 'day')} will be removed for good.
        </Text>
        This begins within a minute and cannot be undone. It is then no longer known what they changed, when
        and by whom. Systems that follow the changes and are further behind get what is left. Each account
        stays as it is, with its last change.
      </>
    ),
  };
}

function extension(days: number | null) {
  return {
    action: 'Keep changes for longer',
    text: `Changes will be kept ${periodText(days)}. What was removed before does not come back.`,
  };
}

function periodText(days: number | null): string {
  return days === null ? 'for ever' : `for ${plural(days, 'day')}`;
}

function isShorter(days: number | null, current: number | null): days is number {
  return days !== null && (current === null || days < current);
}
