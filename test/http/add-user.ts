import { randomBytes } from 'node:crypto';
import { hashKey } from '../../dist/domain/api-key.js';
import { newLinkToken } from '../../dist/domain/one-time-link.js';
import type { Role } from '../../dist/domain/user.js';
import { newToken } from '../../dist/http/auth/sessions.js';
import type { Store } from '../../dist/store/store.js';
import { cheapHash } from '../support/cheap-password.js';
import { withToken } from './browsers.js';

const HOUR = 3_600_000;

export interface NewUser {
  readonly tenantId: number;
  readonly role: Role;
  readonly email: string;
  readonly name: string;
  /** Undefined if the user has a password already, from another tenant. */
  readonly password?: string;
  readonly at: number;
}

/** Somebody joins a tenant, and gets the id. Through the store: over HTTP each password costs a quarter of a second. */
export async function addUser(store: Store, user: NewUser): Promise<string> {
  const { tenantId, role, email, name, password, at } = user;
  const { links, users } = store.directory;
  const { hash } = newLinkToken(randomBytes);
  const by = { at, senderId: null, requestId: null };
  await links.invite(tenantId, role, { hash, email, expiresAt: at + HOUR }, by);
  const stored = (await users.find({ email }))?.password ?? null;
  const proof =
    stored === null ? { newPassword: cheapHash(password ?? 'no-password') } : { confirmedPassword: stored };
  return (await links.redeem(hash, { name, ...proof }, at, 'r')).id;
}

export interface AddedSession {
  readonly userId: string;
  readonly tenantId: number;
  readonly at: number;
  readonly id?: string;
}

/** Headers of a browser in which a user, or somebody with a key, has signed in. */
export async function addSession(store: Store, { userId, tenantId, at, id }: AddedSession) {
  const token = newToken();
  await store.directory.sessions.create({
    hash: hashKey(token),
    id: id ?? newToken().slice(0, 8),
    tenantId,
    senderId: userId,
    createdAt: at,
    expiresAt: at + 12 * HOUR,
    userAgent: null,
  });
  return withToken(token);
}

/** The ids in the examples of the OpenAPI document. */
export const EXAMPLE_IDS = { user: 'usr_3f9a2b7c', invitation: '3f9a2b7c', session: '3f9a2b7c' } as const;

/** Statements that give a user or an invitation another id. */
export function giveId(what: 'user' | 'invitation', from: string, to: string): string {
  if (what === 'invitation') return `update one_time_link set id = '${to}' where id = '${from}';`;
  return (
    `update app_user set id = '${to}' where id = '${from}';` +
    `update membership set user_id = '${to}' where user_id = '${from}';`
  );
}
