import Type from 'typebox';
import type { SendingUser } from '../store/runs/senders.js';
import { nullable } from './schemas.js';

const UserSchema = Type.Object(
  {
    id: Type.String(),
    name: nullable(Type.String({ description: 'Null if the user has never belonged to the tenant.' })),
  },
  { description: 'The user, also a former one; null for a key.' },
);

/** Who sent a change, rejection or run, or changed a setting. */
export const SENDER_PROPERTIES = {
  key_id: nullable(Type.String({ description: 'Null for a user.' })),
  user: nullable(UserSchema),
};

/** Examples of `SENDER_PROPERTIES`. */
export const BY_KEY = { key_id: 'k3f9a2b7', user: null };
export const BY_USER = { key_id: null, user: { id: 'usr_3f9a2b7c', name: 'Kim' } };

interface Sent {
  /** Of a key or user. */
  readonly senderId: string | null;
  readonly user: SendingUser | null;
}

export function senderBody({ senderId, user }: Sent) {
  return { key_id: user === null ? senderId : null, user: user && { id: user.id, name: user.name } };
}
