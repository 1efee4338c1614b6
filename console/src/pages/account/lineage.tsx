import type { Account } from '@account-sync/client';
import { Anchor, Group, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useAncestors } from '../../api/account';
import { AccountLink } from '../../parts/account-link';

/** As many fit above the name, on a phone, too. */
const NEAREST = 4;

/** The way down to the account, the nearest last; of a long one the nearest alone, until more is asked for. */
export function Lineage({ account }: { account: Account }) {
  const { data: above } = useAncestors(account.account_id);
  // In a circle there is no way down.
  const way = above === undefined || above.cycle !== null ? [] : above.data.toReversed();
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen || way.length <= NEAREST + 1 ? way : way.slice(-NEAREST);
  return (
    <Group component="nav" aria-label="Accounts above" gap="0 4px" mb={4} fz="sm" mih={24}>
      <Anchor component={Link} href="/accounts" inherit>
        Accounts
      </Anchor>
      {above?.is_complete === false && (
        <Step>
          <span title="There are more above than are followed">…</span>
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
      {shown.length < way.length && (
        <Step>
          <Anchor component="button" type="button" inherit onClick={() => setOpen(true)}>
            {way.length - shown.length} more
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
