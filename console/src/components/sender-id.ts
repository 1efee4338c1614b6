import type { Sender } from '@account-sync/client';

/** For filters: the id of the person, or else of the key. */
export function senderId({ user, key_id }: Sender): string | null {
  return user?.id ?? key_id;
}
