import { randomBytes } from 'node:crypto';
import type { Role } from '../../dist/domain/user.js';
import type { Store } from '../../dist/store/store.js';
import type { User } from '../../dist/store/tenants/user-row.js';

const HOUR_MS = 3_600_000;

interface Joining {
  readonly email: string;
  readonly role?: Role;
  readonly name?: string;
  /** The hash of the password, of somebody who has none. */
  readonly password?: string;
  /** A small time by default: whoever makes a link removes all links that have expired by then. */
  readonly at?: number;
}

/** Lets a person join a tenant with an invitation. */
export async function joinTenant(
  { directory }: Store,
  tenantId: number,
  { email, role = 'editor', name = `Name of ${email}`, password = `hash for ${email}`, at = 150 }: Joining,
): Promise<User> {
  const hash = randomBytes(32).toString('hex');
  const by = { at, senderId: null, requestId: null };
  await directory.links.invite(tenantId, role, { hash, email, expiresAt: at + HOUR_MS }, by);
  const existing = (await directory.users.find({ email }))?.password ?? null;
  const proof = existing === null ? { name, newPassword: password } : { confirmedPassword: existing };
  return directory.links.redeem(hash, proof, at, 'joins');
}
