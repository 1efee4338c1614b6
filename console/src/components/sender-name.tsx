import type { Sender } from '@account-sync/client';
import { Text } from '@mantine/core';
import { useKeyLabels } from '../api/keys';
import { IconUser } from '../icons/icons.js';

interface SenderNameProps {
  readonly of: Sender;
  /** Whether it begins a sentence. */
  readonly isFirst?: boolean;
}

/** The name of a person, or the label and id of a key, such as “key crm (k3f9a2b7c)”. Empty for neither. */
export function SenderName({ of: { key_id, user }, isFirst = false }: SenderNameProps) {
  const label = useKeyLabels().get(key_id ?? '');
  if (user !== null) return <Person user={user} />;
  if (key_id === null) return null;
  return `${isFirst ? 'Key' : 'key'} ${label ? `${label} (${key_id})` : key_id}`;
}

export function Person({ user }: { user: NonNullable<Sender['user']> }) {
  return (
    <Text span inherit c="var(--mantine-color-text)" className="breakable">
      <IconUser size={13} style={{ verticalAlign: -2, marginInlineEnd: 3 }} />
      {personName(user)}
    </Text>
  );
}

/** The name is null for a user who has never belonged to the tenant. */
export function personName({ id, name }: NonNullable<Sender['user']>): string {
  return name ?? id;
}
