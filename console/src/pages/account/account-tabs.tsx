import type { Account } from '@account-sync/client';
import { Badge, Tabs } from '@mantine/core';
import { useChildCount } from '../../api/account';
import { CodeBlock } from '../../components/code-block';
import { formatNumber } from '../../components/format';
import { useQueryParameters } from '../../components/use-url';
import { AccountFields } from './account-fields';
import { ChildTree } from './child-tree';
import { History } from './history';

const TABS = ['fields', 'below', 'history', 'json'];

export function AccountTabs({ account }: { account: Account }) {
  const [parameters, change] = useQueryParameters();
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
          Children
        </Tabs.Tab>
        <Tabs.Tab value="history">History</Tabs.Tab>
        <Tabs.Tab value="json">JSON</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="fields">
        <AccountFields account={account} />
      </Tabs.Panel>
      <Tabs.Panel value="below">
        <ChildTree id={account.account_id} />
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
