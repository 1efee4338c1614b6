import type { Account } from '@account-sync/client';
import { Group, NativeSelect, Paper, Stack, Text } from '@mantine/core';
import type { Sort } from '../../api/account-list';
import { SkeletonLines } from '../../components/skeleton-lines';
import { AccountCell, ArchivedBadge, OpenAccount } from './account-cell';
import { type Column, ID, NAME, PARENT } from './columns';
import { Highlighted } from './highlighted';
import { SelectAccount } from './many/select-account';
import type { SelectionState } from './many/use-selection';

interface AccountCardsProps {
  readonly columns: readonly Column[];
  readonly accounts: readonly Account[] | undefined;
  readonly search: string;
  readonly selection: SelectionState;
}

/** The accounts as cards, for narrow screens. */
export function AccountCards({ columns, accounts, search, selection }: AccountCardsProps) {
  if (accounts === undefined) return <SkeletonLines lines={6} height={110} />;
  const more = columns.filter(({ id }) => id !== NAME.id && id !== ID.id);
  return (
    <Stack component="ul" gap="xs" m={0} p={0} aria-label="Accounts">
      {accounts.map((account) => (
        <Paper
          component="li"
          key={account.account_id}
          p="sm"
          className="account-card"
          data-selected={selection.has(account) || undefined}
        >
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Text className="breakable">
              <ArchivedBadge account={account} />
              <OpenAccount account={account} search={search} />
            </Text>
            <SelectAccount account={account} selection={selection} />
          </Group>
          {account.name !== null && (
            <Text size="sm" c="dimmed" className="breakable">
              <Highlighted text={account.account_id} search={search} />
            </Text>
          )}
          <CardValues account={account} columns={more} />
        </Paper>
      ))}
    </Stack>
  );
}

/** Skips columns without a value, to save space on a phone. */
function CardValues({ account, columns }: Pick<AccountCardsProps, 'columns'> & { account: Account }) {
  const present = columns.filter((column) => column.valueOf(account) !== null);
  return (
    <Stack component="dl" gap={2} m={0} mt={present.length > 0 ? 6 : 0}>
      {present.map((column) => (
        <Group key={column.id} gap="xs" wrap="nowrap" align="baseline" justify="space-between">
          <Text component="dt" size="sm" c="dimmed" title={column.field?.title}>
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
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
  { value: 'id', label: 'Id, A to Z' },
  { value: '-id', label: 'Id, Z to A' },
  { value: '-updated', label: 'Last change, newest first' },
  { value: 'updated', label: 'Last change, oldest first' },
];

interface SortChoiceProps {
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort | undefined) => void;
}

/** Replaces the sortable column headers. */
export function SortChoice({ sort, onSort }: SortChoiceProps) {
  return (
    <NativeSelect
      aria-label="Order"
      data={[...(sort === undefined ? [{ value: '', label: 'Best match first' }] : []), ...ORDERS]}
      value={sort ?? ''}
      onChange={(event) => onSort(ORDERS.find(({ value }) => value === event.currentTarget.value)?.value)}
      flex={1}
    />
  );
}
