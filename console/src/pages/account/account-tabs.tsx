import type { Account } from '@account-sync/client';
import { Badge, Tabs } from '@mantine/core';
import { useChildCount } from '../../api/account';
import { CodeBlock } from '../../parts/code-block';
import { formatNumber } from '../../parts/format';
import { useAddressParameters } from '../../parts/use-address';
import { AccountFields } from './account-fields';
import { Below } from './below';
import { History } from './history';

const TABS = ['fields', 'below', 'history', 'json'];

export function AccountTabs({ account }: { account: Account }) {
  const [parameters, change] = useAddressParameters();
  const children = useChildCount(account.account_id).data;
  const tab = parameters.get('tab') ?? '';
  const show = (next: string | null) =>
    change({ tab: next === 'fields' || next === null ? undefined : next, field: undefined });
  return (
    <Tabs value={TABS.includes(tab) ? tab : 'fields'} onChange={show} keepMounted={false}>
      <Tabs.List mb="lg">
        <Tabs.Tab value="fields">Fields</Tabs.Tab>
        <Tabs.Tab
          value="below"
          rightSection={
            children !== undefined &&
            children.accounts > 0 && (
              <Badge variant="default" size="sm" className="numbers">
                {formatNumber(children.accounts)}
                {!children.is_exact && '+'}
              </Badge>
            )
          }
        >
          Below
        </Tabs.Tab>
        <Tabs.Tab value="history">History</Tabs.Tab>
        <Tabs.Tab value="json">JSON</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="fields">
        <AccountFields account={account} />
      </Tabs.Panel>
      <Tabs.Panel value="below">
        <Below id={account.account_id} />
      </Tabs.Panel>
      <Tabs.Panel value="history">
        <History account={account} />
      </Tabs.Panel>
      <Tabs.Panel value="json">
        <CodeBlock text={JSON.stringify(account, null, 2)} label="the JSON of the account" maxHeight={640} />
      </Tabs.Panel>
    </Tabs>
  );
}
