import type { Account } from '@account-sync/client';
import { Anchor, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useAncestors } from '../../api/account';
import { AccountLink } from '../../components/account-link';
import { IconChevronRight } from '../../icons/icons.js';

/** This many fit above the name on a phone. */
const NEAREST = 4;

/** The ancestors as breadcrumbs, nearest last. A long path shows the nearest ones until the user expands it. */
export function AncestorBreadcrumbs({ account }: { account: Account }) {
  const { data: above } = useAncestors(account.account_id);
  // A cycle has no topmost account, so no path is shown.
  const path = above === undefined || above.cycle !== null ? [] : above.data.toReversed();
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen || path.length <= NEAREST + 1 ? path : path.slice(-NEAREST);
  return (
    <Group component="nav" aria-label="Parent accounts" gap="0 4px" mb={4} fz="sm" mih={24}>
      <Anchor component={Link} href="/accounts" inherit>
        Accounts
      </Anchor>
      {above?.is_complete === false && (
        <Step>
          <span title="Further parents are not shown">…</span>
        </Step>
      )}
      {above?.missing_parent && (
        <Step>
          <AccountLink id={above.missing_parent} />
          <Text span inherit c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            (not stored)
          </Text>
        </Step>
      )}
      {shown.length < path.length && (
        <Step>
          <Anchor component="button" type="button" inherit onClick={() => setOpen(true)}>
            {path.length - shown.length} more
          </Anchor>
        </Step>
      )}
      {shown.map(({ account_id, name }) => (
        <Step key={account_id}>
          <AccountLink id={account_id}>{name ?? account_id}</AccountLink>
        </Step>
      ))}
    </Group>
  );
}

function Step({ children }: { children: ReactNode }) {
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <IconChevronRight size={14} aria-hidden style={{ flexShrink: 0 }} />
      {children}
    </Group>
  );
}
