import type { Kysely } from 'kysely';
import type { Role } from '../../domain/user.js';
import type { Tables } from '../schema/tables.js';
import { type Actor, changeConfiguration, commandLine, recordChange } from './configuration-changes.js';
import { described, recordInTenants, removeMember, storePassword } from './memberships.js';
import { endSessions } from './sessions.js';
import { findMember, findUser, type Member, memberFromRow, selectMembers, type User } from './user-row.js';

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

/** The people who sign in, and their roles in tenants. A user without a tenant has no password and cannot sign in. */
export class Users {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  find(by: { readonly id: string } | { readonly email: string }): Promise<User | undefined> {
    return findUser(this.#db, by);
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
      if (after.isDisabled) await endSessions(db, { senderId: userId, tenantId });
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
      const ended = await endSessions(db, { senderId: userId, tenantId });
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
