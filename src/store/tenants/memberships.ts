import { randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { CONSOLE_SOURCE, newUserId, type Role } from '../../domain/user.js';
import { TooManyUsers } from '../errors.js';
import type { Tables } from '../schema/tables.js';
import { type Actor, recordChange } from './configuration-changes.js';
import { endSessions } from './sessions.js';
import { ensureSource } from './sources.js';
import { findMember, type MembershipOrigin, type User, userFromRow } from './user-row.js';

/* Changes of users and memberships. All of them must run within `changeConfiguration`. */

const MAX_MEMBERS = 1_000;

/** The user has no password and belongs to no tenant yet. */
export async function insertUser(
  db: Transaction<Tables>,
  { email, name, at }: { readonly email: string; readonly name: string; readonly at: number },
): Promise<User> {
  const row = { id: newUserId(randomBytes), email, name, created_at: at };
  const columns = { ...row, password: null, oidc_issuer: null, oidc_subject: null };
  await db.insertInto('app_user').values(columns).execute();
  return userFromRow(columns);
}

async function countMembers(db: Kysely<Tables>, tenantId: number): Promise<number> {
  const { count } = await db
    .selectFrom('membership')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * A former member comes back with the new role. An open invitation ends: it could otherwise bring the user back after an
 * administrator has disabled or removed the user.
 */
export async function addMember(
  db: Transaction<Tables>,
  tenantId: number,
  userId: string,
  { role, origin, at }: { readonly role: Role; readonly origin: MembershipOrigin; readonly at: number },
): Promise<void> {
  if ((await countMembers(db, tenantId)) >= MAX_MEMBERS) throw new TooManyUsers(MAX_MEMBERS);
  const row = { role, origin, created_at: at, disabled_at: null, removed_at: null, last_used_at: null };
  await db
    .insertInto('membership')
    .values({ tenant_id: tenantId, user_id: userId, ...row })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet(row))
    .execute();
  await db
    .deleteFrom('one_time_link')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'invitation')
    .where('email', '=', ({ selectFrom }) => selectFrom('app_user').select('email').where('id', '=', userId))
    .execute();
  await ensureSource(db, tenantId, CONSOLE_SOURCE, 'Console', at);
}

export async function removeMember(
  db: Transaction<Tables>,
  tenantId: number,
  userId: string,
  by: Actor,
): Promise<boolean> {
  const member = await findMember(db, tenantId, userId);
  if (member === undefined) return false;
  await db
    .updateTable('membership')
    .set({ removed_at: by.at })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute();
  await endSessions(db, { senderId: userId, tenantId });
  await clearCredentials(db, [userId]);
  const from = described({ role: member.role, isDisabled: member.disabledAt !== null });
  await recordChange(db, tenantId, by, { action: 'user.remove', subject: member.email, from, to: null });
  return true;
}

/** A user without a tenant cannot sign in. The next owner of the e-mail address must not inherit the password. */
export async function clearCredentials(db: Transaction<Tables>, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  await db
    .updateTable('app_user')
    .set({ password: null, oidc_issuer: null, oidc_subject: null })
    .where('id', 'in', userIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('membership')
            .select('tenant_id')
            .whereRef('user_id', '=', 'app_user.id')
            .where('removed_at', 'is', null),
        ),
      ),
    )
    .execute();
}

export async function storePassword(
  db: Transaction<Tables>,
  userId: string,
  password: string,
  keptSession: string | undefined,
  by: Actor,
): Promise<void> {
  const { email } = await db
    .updateTable('app_user')
    .set({ password })
    .where('id', '=', userId)
    .returning('email')
    .executeTakeFirstOrThrow();
  await endSessions(db, { senderId: userId, except: keptSession });
  // Other links for this user must not replace the new password.
  const links = db.deleteFrom('one_time_link').where('email', '=', email);
  await links.where('kind', '=', 'password').execute();
  await recordInTenants(db, userId, by, { action: 'user.password', subject: email, from: null, to: null });
}

/** The audit of each of the user's tenants gets the entry. */
export async function recordInTenants(
  db: Transaction<Tables>,
  userId: string,
  by: Actor,
  change: Parameters<typeof recordChange>[3],
): Promise<void> {
  const query = db.selectFrom('membership').select('tenant_id').where('user_id', '=', userId);
  for (const { tenant_id } of await query.where('removed_at', 'is', null).orderBy('tenant_id').execute()) {
    await recordChange(db, tenant_id, by, change);
  }
}

export function described({ role, isDisabled }: { readonly role: Role; readonly isDisabled: boolean }) {
  return { role, disabled: isDisabled };
}
