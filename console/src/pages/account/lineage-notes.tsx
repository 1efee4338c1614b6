import type { Account, Ancestors } from '@account-sync/client';
import { Alert, Text } from '@mantine/core';
import { IconArrowRight, IconHierarchyOff, IconRefreshAlert } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { useAncestors } from '../../api/account';
import { AccountLink } from '../../parts/account-link';

/** What a sync has left open above an account; the next may well close it. */
export function LineageNotes({ account }: { account: Account }) {
  const { data: above } = useAncestors(account.account_id);
  if (above === undefined) return null;
  if (above.cycle !== null) return <CircleNote id={account.account_id} cycle={above.cycle} />;
  if (above.missing_parent === null) return null;
  return <MissingNote account={account} above={above} parent={above.missing_parent} />;
}

interface MissingNoteProps {
  readonly account: Account;
  readonly above: Ancestors;
  readonly parent: string;
}

function MissingNote({ account, above, parent }: MissingNoteProps) {
  const top = above.data.at(-1);
  return (
    <Note icon={<IconHierarchyOff aria-hidden />} title="An account above is missing">
      {top === undefined ? (
        'This account'
      ) : (
        <AccountLink id={top.account_id} underline="always">
          {top.name ?? top.account_id}
        </AccountLink>
      )}{' '}
      names <AccountLink id={parent} underline="always" /> as its parent, but no account with that id is
      stored. Nothing is lost: as soon as a sync brings it, the two belong together. If it never comes, the
      system that sends {top === undefined ? account.account_id : top.account_id} may have the wrong id of its
      parent.
    </Note>
  );
}

function CircleNote({ id, cycle }: { id: string; cycle: readonly string[] }) {
  return (
    <Note
      icon={<IconRefreshAlert aria-hidden />}
      title={cycle.includes(id) ? 'This account is in a circle' : 'There is a circle above this account'}
    >
      Each of these names the next as its parent, so that none is at the top:{' '}
      {cycle.map((one, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the first comes again at the end
        <Fragment key={place}>
          {place > 0 && (
            <IconArrowRight size={14} aria-hidden style={{ margin: '0 4px', verticalAlign: 'middle' }} />
          )}
          {one === id ? <b>{one}</b> : <AccountLink id={one} underline="always" />}
        </Fragment>
      ))}
      . That happens while a hierarchy is being changed. Nothing is lost: as soon as a sync brings another
      parent for one of them, the circle is open.
    </Note>
  );
}

function Note({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <Alert variant="outline" color="yellow" icon={icon} title={title} mb="md" maw={920}>
      <Text size="sm" className="breakable">
        {children}
      </Text>
    </Alert>
  );
}
