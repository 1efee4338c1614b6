import type { Sender } from '@account-sync/client';
import { useKeyLabels } from './keys';

/** A user by name, a key by its label and id. */
export function useSenderName(): (sender: Sender) => string {
  const labels = useKeyLabels();
  return ({ key_id, user }) => {
    if (user !== null) return user.name ?? user.id;
    const label = labels.get(key_id ?? '');
    return label ? `${label} (${key_id})` : `${key_id}`;
  };
}
