import type { Account } from '@account-sync/client';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { segment } from '../../api/call';
import { AccountLink } from '../../parts/account-link';
import { FieldValue } from '../../parts/field-value';
import { Moment } from '../../parts/moment';
import { type Column, CREATED, ID, NAME, PARENT, UPDATED } from './columns';
import { Marked } from './marked';
import { noteOpened } from './use-listing';

interface AccountCellProps {
  readonly account: Account;
  readonly column: Column;
  readonly search: string;
}

/** The value of a column, as it is best read. */
export function AccountCell({ account, column, search }: AccountCellProps) {
  const { account_id: id, parent_account_id: parent, updated_at, created_at } = account;
  switch (column.id) {
    case NAME.id:
      return <OpenAccount account={account} search={search} />;
    case ID.id:
      return <Marked text={id} search={search} />;
    case PARENT.id:
      return parent === null ? <FieldValue value={null} /> : <AccountLink id={parent} />;
    case UPDATED.id:
      return <Moment at={updated_at} />;
    case CREATED.id:
      return <Moment at={created_at} />;
    default:
      return <FieldValue value={column.valueOf(account)} type={column.type} />;
  }
}

/** The way to an account, which the keys move along. */
export function OpenAccount({ account, search }: Omit<AccountCellProps, 'column'>) {
  const { account_id: id, name } = account;
  return (
    <Anchor
      component={Link}
      href={`/accounts/${segment(id)}`}
      inherit
      fw={550}
      data-row={id}
      onClick={() => noteOpened(id)}
    >
      {name === null ? (
        <Text span inherit fs="italic">
          <Marked text={id} search={search} />
        </Text>
      ) : (
        <Marked text={name} search={search} />
      )}
    </Anchor>
  );
}
