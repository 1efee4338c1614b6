import type { Account, Ancestors } from '@account-sync/client';
import { Alert, Text } from '@mantine/core';
import { IconHierarchyOff, IconRefreshAlert } from '@tabler/icons-react';
import { Fragment } from 'react';
import { AccountLink } from '../../parts/account-link';

interface LineageNotesProps {
  readonly account: Account;
  readonly above: Ancestors;
}

/** What a sync has left open above an account; the next may well close it. */
export function LineageNotes({ account, above }: LineageNotesProps) {
  if (above.cycle !== null) return <CircleNote id={account.account_id} cycle={above.cycle} />;
  if (above.missing_parent === null) return null;
  const top = above.data.at(-1) ?? account;
  return (
    <Alert
      variant="outline"
      color="yellow"
      icon={<IconHierarchyOff aria-hidden />}
      title="An account above is missing"
      styles={NOTE}
      my="sm"
    >
      <Text size="sm">
        {top === account ? (
          'This account'
        ) : (
          <AccountLink id={top.account_id}>{top.name ?? top.account_id}</AccountLink>
        )}{' '}
        names <AccountLink id={above.missing_parent} /> as its parent, but no account with that id is stored.
        Nothing is lost: as soon as a sync brings it, the two belong together. If it never comes, the system
        that sends this account may have the wrong id.
      </Text>
    </Alert>
  );
}

function CircleNote({ id, cycle }: { id: string; cycle: readonly string[] }) {
  return (
    <Alert
      variant="outline"
      color="yellow"
      icon={<IconRefreshAlert aria-hidden />}
      title={cycle.includes(id) ? 'This account is in a circle' : 'There is a circle above this account'}
      styles={NOTE}
      my="sm"
    >
      <Text size="sm">
        Each of these names the next as its parent, so that none is at the top:{' '}
        {cycle.map((one, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the first comes again at the end
          <Fragment key={place}>
            {place > 0 && ' → '}
            {one === id ? <b className="breakable">{one}</b> : <AccountLink id={one} />}
          </Fragment>
        ))}
        . That happens while a hierarchy is being changed. Nothing is lost: as soon as a sync brings another
        parent for one of them, the circle is open.
      </Text>
    </Alert>
  );
}

/** The colour of the frame would be hard to read. */
const NOTE = { title: { color: 'var(--mantine-color-text)' } };
