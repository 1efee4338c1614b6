import { Stack } from '@mantine/core';
import { useSettings } from '../../api/settings';
import { QueryView } from '../../components/query-view';
import { SkeletonLines } from '../../components/skeleton-lines';
import { AccountIdRule } from './account-id-rule';
import { HistoryDaysRule } from './history-days-rule';
import { HostNames } from './host-names';
import { RejectionDaysRule } from './rejection-days-rule';
import { UndeclaredFieldRule } from './undeclared-field-rule';

export function RulesSection() {
  const query = useSettings();
  return (
    <Stack gap="lg" maw={820}>
      <QueryView query={query} loading={<SkeletonLines lines={3} height={220} />}>
        {(settings) => (
          <>
            <AccountIdRule current={settings.account_ids} />
            <UndeclaredFieldRule current={settings.undeclared_fields} />
            <HistoryDaysRule current={settings.history_days} />
            <RejectionDaysRule current={settings.rejection_days} />
            <HostNames settings={settings} />
          </>
        )}
      </QueryView>
    </Stack>
  );
}
