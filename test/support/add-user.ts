import { randomUUID } from 'node:crypto';
import { newLinkToken } from '../../dist/domain/one-time-link.js';
import type { Role } from '../../dist/domain/user.js';
import type { Store } from '../../dist/store/store.js';

/** A user of a tenant, who has used an invitation. With the address of a user, that user joins. */
export async function addUser(
  store: Store,
  tenantId: number,
  {
    name = 'Kim',
    email = `${randomUUID()}@example.com`,
    role = 'editor',
  }: { readonly name?: string; readonly email?: string; readonly role?: Role } = {},
): Promise<{ readonly id: string; readonly name: string; readonly email: string }> {
  const at = Date.now();
  const { hash } = newLinkToken();
  const known = (await store.directory.users.find({ email }))?.password ?? null;
  await store.directory.links.invite(tenantId, role, { hash, email, expiresAt: at + 60_000 });
  const proof = known === null ? { name, newPassword: 'a hash' } : { confirmedPassword: known };
  const { id } = await store.directory.links.redeem(hash, proof, at, 'join');
  return { id, name, email };
}
