import type { Account } from '@account-sync/client';
import { Group, NativeSelect, Paper, Stack, Text } from '@mantine/core';
import type { Sort } from '../../api/account-list';
import { LinesLoading } from '../../parts/lines-loading';
import { AccountCell, OpenAccount } from './account-cell';
import { type Column, ID, NAME, PARENT } from './columns';
import { Marked } from './marked';

interface AccountCardsProps {
  readonly columns: readonly Column[];
  readonly accounts: readonly Account[] | undefined;
  readonly search: string;
}

/** The table for a narrow screen. */
export function AccountCards({ columns, accounts, search }: AccountCardsProps) {
  if (accounts === undefined) return <LinesLoading lines={6} height={110} />;
  const more = columns.filter(({ id }) => id !== NAME.id && id !== ID.id);
  return (
    <Stack component="ul" gap="xs" m={0} p={0} aria-label="Accounts">
      {accounts.map((account) => (
        <Paper component="li" key={account.account_id} p="sm" className="account-card">
          <Text className="breakable">
            <OpenAccount account={account} search={search} />
          </Text>
          {account.name !== null && (
            <Text size="sm" c="dimmed" className="breakable">
              <Marked text={account.account_id} search={search} />
            </Text>
          )}
          <CardValues account={account} columns={more} />
        </Paper>
      ))}
    </Stack>
  );
}

/** Only what it has: a phone has no room for what is not there. */
function CardValues({ account, columns }: Pick<AccountCardsProps, 'columns'> & { account: Account }) {
  const held = columns.filter((column) => column.valueOf(account) !== null);
  return (
    <Stack component="dl" gap={2} m={0} mt={held.length > 0 ? 6 : 0}>
      {held.map((column) => (
        <Group key={column.id} gap="xs" wrap="nowrap" align="baseline" justify="space-between">
          <Text component="dt" size="sm" c="dimmed">
            {column.label}
          </Text>
          <Text component="dd" size="sm" m={0} ta="end" className="breakable">
            {column.id === PARENT.id ? (
              account.parent_account_id
            ) : (
              <AccountCell account={account} column={column} search="" />
            )}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

const ORDERS: readonly { readonly value: Sort; readonly label: string }[] = [
  { value: 'name', label: 'Name, from A' },
  { value: '-name', label: 'Name, from Z' },
  { value: 'id', label: 'Id, from A' },
  { value: '-id', label: 'Id, from Z' },
  { value: '-updated', label: 'Last change, newest first' },
  { value: 'updated', label: 'Last change, oldest first' },
];

interface SortChoiceProps {
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort | undefined) => void;
}

/** In place of the heads of columns. */
export function SortChoice({ sort, onSort }: SortChoiceProps) {
  return (
    <NativeSelect
      aria-label="Order"
      data={[...(sort === undefined ? [{ value: '', label: 'Best match first' }] : []), ...ORDERS]}
      value={sort ?? ''}
      onChange={(event) => onSort(ORDERS.find(({ value }) => value === event.currentTarget.value)?.value)}
      mb="sm"
    />
  );
}
