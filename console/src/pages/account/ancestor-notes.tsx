import type { Account, Ancestors } from '@account-sync/client';
import { Alert, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { useAncestors, useHistory } from '../../api/account';
import { AccountLink } from '../../components/account-link';
import { IconArrowRight, IconHierarchyOff, IconRefreshAlert } from '../../icons/icons.js';

/** Warns about a missing parent or a cycle among the ancestors. A later sync may resolve either. */
export function AncestorNotes({ account }: { account: Account }) {
  const { data: above } = useAncestors(account.account_id);
  if (above === undefined) return null;
  if (above.cycle !== null) return <CycleNote id={account.account_id} cycle={above.cycle} />;
  if (above.missing_parent === null) return null;
  return <MissingNote account={account} above={above} parent={above.missing_parent} />;
}

/** The source of what people change here. */
const CONSOLE = 'console';

interface MissingNoteProps {
  readonly account: Account;
  readonly above: Ancestors;
  readonly parent: string;
}

function MissingNote({ account, above, parent }: MissingNoteProps) {
  const top = above.data.at(-1);
  const child = top ?? account;
  // Read again when the parent of this account changes.
  const history = useHistory(child.account_id, 'parent_account_id', account.revision);
  const latest = history.data?.pages[0]?.data[0];
  return (
    <Note icon={<IconHierarchyOff aria-hidden />} title="A parent account is missing">
      {top === undefined ? (
        'This account'
      ) : (
        <AccountLink id={top.account_id} underline="always">
          {top.name ?? top.account_id}
        </AccountLink>
      )}{' '}
      has the parent <AccountLink id={parent} underline="always" />, but no account with that id is stored.
      The link is restored as soon as that account is stored. If it never arrives,{' '}
      {latest?.source === CONSOLE
        ? `correct the parent id: it was set in the console. Choose Edit on the page of ${child.account_id}.`
        : `check the parent id in the system that sends ${child.account_id}.`}
    </Note>
  );
}

function CycleNote({ id, cycle }: { id: string; cycle: readonly string[] }) {
  return (
    <Note
      icon={<IconRefreshAlert aria-hidden />}
      title={
        cycle.includes(id) ? 'This account is part of a cycle' : 'The parents of this account form a cycle'
      }
    >
      Each of these accounts has the next one as its parent:{' '}
      {cycle.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the first account is repeated at the end
        <Fragment key={index}>
          {index > 0 && (
            <IconArrowRight size={14} aria-hidden style={{ margin: '0 4px', verticalAlign: 'middle' }} />
          )}
          {one === id ? <b>{one}</b> : <AccountLink id={one} underline="always" />}
        </Fragment>
      ))}
      . This can happen while a hierarchy is being changed. It is resolved as soon as a system sends another
      parent for one of them.
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
