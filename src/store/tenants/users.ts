import type { Kysely, Selectable, Transaction } from 'kysely';
import { CONSOLE_SOURCE, type Role } from '../../domain/user.js';
import { TooManyUsers } from '../errors.js';
import type { Tables } from '../schema/tables.js';
import { type Actor, changeConfiguration, commandLine, recordChange } from './configuration-changes.js';
import { endSessions } from './sessions.js';
import { ensureSource } from './sources.js';

/** A person, who may belong to several tenants. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** The hash of the password; null if the user has none. */
  readonly password: string | null;
  /** Whether the user has signed in by OpenID Connect. */
  readonly hasIdentity: boolean;
  readonly createdAt: number;
}

/** Who decides on a role: an administrator, or the claims of each sign-in by OpenID Connect. */
export type MembershipOrigin = 'invitation' | 'oidc';

export interface Membership {
  readonly tenantId: number;
  readonly role: Role;
  readonly origin: MembershipOrigin;
  readonly joinedAt: number;
  readonly disabledAt: number | null;
  readonly lastUsedAt: number | null;
}

export interface Member extends User, Membership {}

/** A tenant in which a user may work. */
export interface UserTenant {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
}

export interface MembershipChanges {
  readonly role?: Role | undefined;
  readonly isDisabled?: boolean | undefined;
}

const MAX_MEMBERS = 1_000;

/** The people who sign in, and their roles in tenants. A user without a tenant has no password and cannot sign in. */
export class Users {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async find(by: { readonly id: string } | { readonly email: string }): Promise<User | undefined> {
    const query = this.#db.selectFrom('app_user').selectAll();
    const row = await ('id' in by ? query.where('id', '=', by.id) : query.where('email', '=', by.email))
      .limit(1)
      .executeTakeFirst();
    return row && userFromRow(row);
  }

  /** Those who belong to a tenant, disabled ones included, by name. */
  async members(tenantId: number): Promise<Member[]> {
    const rows = await selectMembers(this.#db, tenantId).orderBy('name').orderBy('id').execute();
    return rows.map(memberFromRow);
  }

  /** Undefined if the user does not belong to the tenant. */
  async member(tenantId: number, userId: string): Promise<Member | undefined> {
    return findMember(this.#db, tenantId, userId);
  }

  /** The tenants in which a user is not disabled, by name. */
  async tenantsOf(userId: string): Promise<UserTenant[]> {
    const rows = await this.#db
      .selectFrom('membership')
      .innerJoin('tenant', 'tenant.id', 'membership.tenant_id')
      .select(['tenant.id', 'tenant.name', 'membership.role'])
      .where('user_id', '=', userId)
      .where('disabled_at', 'is', null)
      .where('removed_at', 'is', null)
      .orderBy('tenant.name')
      .execute();
    return rows.map(({ id, name, role }) => ({ id, name, role: role as Role }));
  }

  /** False if the user does not belong to the tenant. A disabled user is signed out of the tenant. */
  change(
    tenantId: number,
    userId: string,
    { role, isDisabled }: MembershipChanges,
    by: Actor = commandLine(),
  ): Promise<boolean> {
    return changeConfiguration(this.#db, async (db) => {
      const before = await findMember(db, tenantId, userId);
      if (before === undefined) return false;
      const wasDisabled = before.disabledAt !== null;
      const disabledAt =
        isDisabled === undefined || isDisabled === wasDisabled
          ? before.disabledAt
          : isDisabled
            ? by.at
            : null;
      const after = { role: role ?? before.role, isDisabled: disabledAt !== null };
      if (after.role === before.role && after.isDisabled === wasDisabled) return true;
      await db
        .updateTable('membership')
        .set({ role: after.role, disabled_at: disabledAt })
        .where('tenant_id', '=', tenantId)
        .where('user_id', '=', userId)
        .execute();
      if (after.isDisabled) await endSessions(db, { userId, tenantId });
      const from = described({ role: before.role, isDisabled: wasDisabled });
      const change = { action: 'user.change', subject: before.email, from, to: described(after) };
      await recordChange(db, tenantId, by, change);
      return true;
    });
  }

  /** False if the user does not belong to the tenant. */
  remove(tenantId: number, userId: string, by: Actor = commandLine()): Promise<boolean> {
    return changeConfiguration(this.#db, (db) => removeMember(db, tenantId, userId, by));
  }

  /**
   * Ends all other sessions of the user. The audit of each of the user's tenants has an entry. False if the password is
   * not the one before any more: it was set with a link, or cleared with the last membership, while this one was hashed.
   */
  replacePassword(
    userId: string,
    { before, after }: { readonly before: string; readonly after: string },
    keptSession: string | undefined,
    by: Actor,
  ): Promise<boolean> {
    return changeConfiguration(this.#db, async (db) => {
      const query = db.selectFrom('app_user').select('id').where('id', '=', userId);
      const isUnchanged = await query.where('password', '=', before).executeTakeFirst();
      if (isUnchanged === undefined) return false;
      await storePassword(db, userId, after, keptSession, by);
      return true;
    });
  }

  rename(userId: string, name: string, by: Actor): Promise<void> {
    return changeConfiguration(this.#db, async (db) => {
      const user = await db
        .selectFrom('app_user')
        .selectAll()
        .where('id', '=', userId)
        .executeTakeFirstOrThrow();
      if (user.name === name) return;
      await db.updateTable('app_user').set({ name }).where('id', '=', userId).execute();
      const change = { action: 'user.rename', subject: user.email, from: user.name, to: name };
      await recordInTenants(db, userId, by, change);
    });
  }

  /** Ends the sessions of a user in a tenant; returns how many. */
  endSessions(tenantId: number, userId: string, by: Actor = commandLine()): Promise<number> {
    return changeConfiguration(this.#db, async (db) => {
      const member = await findMember(db, tenantId, userId);
      if (member === undefined) return 0;
      const ended = await endSessions(db, { userId, tenantId });
      const change = {
        action: 'user.end-sessions',
        subject: member.email,
        from: null,
        to: { sessions: ended },
      };
      if (ended > 0) await recordChange(db, tenantId, by, change);
      return ended;
    });
  }

  /** Whether a user belongs to other tenants, too, also where the user is disabled. */
  async belongsElsewhere(tenantId: number, userId: string): Promise<boolean> {
    const query = this.#db.selectFrom('membership').select('tenant_id').where('user_id', '=', userId);
    const others = query.where('removed_at', 'is', null).where('tenant_id', '!=', tenantId);
    return (await others.limit(1).executeTakeFirst()) !== undefined;
  }

  /** Replaces the hash of a password by one with other parameters, unless the password has changed. */
  async rehash(userId: string, before: string, after: string): Promise<void> {
    const query = this.#db.updateTable('app_user').set({ password: after }).where('id', '=', userId);
    await query.where('password', '=', before).execute();
  }

  /** When each user was last active in a tenant. */
  async recordUse(uses: readonly { tenantId: number; userId: string; at: number }[]): Promise<void> {
    for (const { tenantId, userId, at } of uses) {
      const query = this.#db.updateTable('membership').set({ last_used_at: at });
      await query.where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute();
    }
  }
}

function selectMembers(db: Kysely<Tables>, tenantId: number) {
  return db
    .selectFrom('membership')
    .innerJoin('app_user', 'app_user.id', 'membership.user_id')
    .selectAll('app_user')
    .select([
      'tenant_id',
      'role',
      'origin',
      'membership.created_at as joined_at',
      'disabled_at',
      'last_used_at',
    ])
    .where('tenant_id', '=', tenantId)
    .where('removed_at', 'is', null);
}

export async function findMember(
  db: Kysely<Tables>,
  tenantId: number,
  userId: string,
): Promise<Member | undefined> {
  const row = await selectMembers(db, tenantId).where('user_id', '=', userId).executeTakeFirst();
  return row && memberFromRow(row);
}

export async function countMembers(db: Kysely<Tables>, tenantId: number): Promise<number> {
  const { count } = await db
    .selectFrom('membership')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Must run within `changeConfiguration`. A former member comes back with the new role. An open invitation ends:
 * otherwise it could bring the user back after an administrator has disabled or removed the user.
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

/** Must run within `changeConfiguration`. */
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
  await endSessions(db, { userId, tenantId });
  await clearCredentials(db, [userId]);
  const from = described({ role: member.role, isDisabled: member.disabledAt !== null });
  await recordChange(db, tenantId, by, { action: 'user.remove', subject: member.email, from, to: null });
  return true;
}

/** Without a tenant there is nothing to sign in to, and whoever invites the address next must not inherit a password. */
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

/** Must run within `changeConfiguration`. */
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
  await endSessions(db, { userId, except: keptSession });
  // Whoever else has a link for this user must not replace the new password.
  const links = db.deleteFrom('one_time_link').where('email', '=', email);
  await links.where('kind', '=', 'password').execute();
  await recordInTenants(db, userId, by, { action: 'user.password', subject: email, from: null, to: null });
}

/** Must run within `changeConfiguration`. The audit of each of the user's tenants gets the entry. */
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

function described({ role, isDisabled }: { readonly role: Role; readonly isDisabled: boolean }) {
  return { role, disabled: isDisabled };
}

export function userFromRow(row: Selectable<Tables['app_user']>): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    password: row.password,
    hasIdentity: row.oidc_subject !== null,
    createdAt: row.created_at,
  };
}

type MemberRow = Selectable<Tables['app_user']> &
  Pick<Selectable<Tables['membership']>, 'tenant_id' | 'role' | 'origin' | 'disabled_at' | 'last_used_at'> & {
    joined_at: number;
  };

function memberFromRow(row: MemberRow): Member {
  return {
    ...userFromRow(row),
    tenantId: row.tenant_id,
    role: row.role as Role,
    origin: row.origin as MembershipOrigin,
    joinedAt: row.joined_at,
    disabledAt: row.disabled_at,
    lastUsedAt: row.last_used_at,
  };
}
