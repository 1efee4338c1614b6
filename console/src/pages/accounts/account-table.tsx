import type { Account } from '@account-sync/client';
import { Skeleton, Table } from '@mantine/core';
import type { Sort } from '../../api/account-list';
import { AccountCell } from './account-cell';
import { ColumnHead } from './column-head';
import type { Column } from './columns';
import { SelectAccount, SelectShown } from './many/select-account';
import type { SelectionState } from './many/use-selection';

interface AccountTableProps {
  readonly columns: readonly Column[];
  /** Undefined while the first page is loading. */
  readonly accounts: readonly Account[] | undefined;
  readonly search: string;
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort | undefined) => void;
  readonly selection: SelectionState;
}

const LOADING_ROWS = 12;

export function AccountTable(props: AccountTableProps) {
  const { columns, accounts, search, sort, onSort, selection } = props;
  return (
    <Table.ScrollContainer minWidth={640} type="native">
      <Table className="account-table" highlightOnHover verticalSpacing={7} aria-label="Accounts">
        <Table.Thead>
          <Table.Tr>
            <Table.Td className="select-cell">
              <SelectShown selection={selection} disabled={accounts === undefined} />
            </Table.Td>
            {columns.map((column) => (
              <ColumnHead key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody aria-busy={accounts === undefined}>
          {accounts === undefined ? (
            <LoadingRows columns={columns} />
          ) : (
            accounts.map((account) => (
              <Table.Tr key={account.account_id} data-selected={selection.has(account) || undefined}>
                <Table.Td className="select-cell">
                  <SelectAccount account={account} selection={selection} />
                </Table.Td>
                {columns.map((column) => (
                  <Table.Td key={column.id} data-column={column.id} {...cellProps(account, column)}>
                    <AccountCell account={account} column={column} search={search} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))
          )}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Numbers are right-aligned. A long text has its full value as a tooltip. */
function cellProps(account: Account, column: Column) {
  const value = column.valueOf(account);
  return {
    ta: column.type === 'integer' || column.type === 'decimal' ? ('end' as const) : undefined,
    title: typeof value === 'string' && value.length > 30 ? value : undefined,
  };
}

function LoadingRows({ columns }: { columns: readonly Column[] }) {
  return Array.from({ length: LOADING_ROWS }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: all rows are identical
    <Table.Tr key={row}>
      <Table.Td className="select-cell">
        <Skeleton height={18} width={18} />
      </Table.Td>
      {columns.map(({ id }) => (
        <Table.Td key={id} data-column={id}>
          <Skeleton height={14} my={4} miw={60} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
