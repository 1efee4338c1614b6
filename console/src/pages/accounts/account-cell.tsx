import type { Account } from '@account-sync/client';
import { Anchor, Badge, Text } from '@mantine/core';
import { Link } from 'wouter';
import { encodePathSegment } from '../../api/call';
import { AccountLink } from '../../components/account-link';
import { FieldValue } from '../../components/field-value';
import { Timestamp } from '../../components/timestamp';
import { type Column, CREATED, ID, NAME, PARENT, UPDATED } from './columns';
import { Highlighted } from './highlighted';
import { rememberOpened } from './use-listing';

interface AccountCellProps {
  readonly account: Account;
  readonly column: Column;
  readonly search: string;
}

/** The formatted value of a column. */
export function AccountCell({ account, column, search }: AccountCellProps) {
  const { account_id: id, parent_account_id: parent, updated_at, created_at } = account;
  switch (column.id) {
    case NAME.id:
      return (
        <>
          <ArchivedBadge account={account} />
          <OpenAccount account={account} search={search} />
        </>
      );
    case ID.id:
      return <Highlighted text={id} search={search} />;
    case PARENT.id:
      return parent === null ? <FieldValue value={null} /> : <AccountLink id={parent} />;
    case UPDATED.id:
      return <Timestamp at={updated_at} />;
    case CREATED.id:
      return <Timestamp at={created_at} />;
    default:
      return <FieldValue value={column.valueOf(account)} attribute={column.field?.attribute} />;
  }
}

/** Link to an account. Keyboard navigation moves between these links. */
export function OpenAccount({ account, search }: Omit<AccountCellProps, 'column'>) {
  const { account_id: id, name } = account;
  return (
    <Anchor
      component={Link}
      href={`/accounts/${encodePathSegment(id)}`}
      inherit
      fw={550}
      data-row={id}
      onClick={() => rememberOpened(id)}
    >
      {name === null ? (
        <Text span inherit fs="italic">
          <Highlighted text={id} search={search} />
        </Text>
      ) : (
        <Highlighted text={name} search={search} />
      )}
    </Anchor>
  );
}

/** Before the name, because a long name is cut off. */
export function ArchivedBadge({ account }: { account: Account }) {
  if (account.archived_at === null) return null;
  return (
    <Badge variant="default" size="sm" mr={6} fw={500}>
      Archived
    </Badge>
  );
}
