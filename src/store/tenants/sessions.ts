import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../schema/tables.js';

/** A browser that has signed in as a user or with a key. */
export interface Session {
  /** The hash of the token; the token itself is not stored. */
  readonly hash: string;
  /** Names the session in lists; not secret. */
  readonly id: string;
  readonly tenantId: number;
  /** The key or user. */
  readonly senderId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt: number | null;
  readonly userAgent: string | null;
}

export interface ListedSession extends Session {
  readonly tenant: string;
}

const MAX_PER_OWNER = 50;

/** Browser sessions. They are read often, so a change takes effect soon without a new configuration version. */
export class Sessions {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * Also removes all expired sessions, and the oldest of a key or user with too many, so that sign-ins cannot fill the
   * disk. With the stored hash of a password that was checked, it returns false if the user has another one by now, so
   * that no session begins with a password that has just been replaced.
   */
  create(
    { hash, id, tenantId, senderId, createdAt, expiresAt, userAgent }: Omit<Session, 'lastUsedAt'>,
    password?: string,
  ): Promise<boolean> {
    const row = {
      hash,
      id,
      tenant_id: tenantId,
      key_id: senderId,
      created_at: createdAt,
      expires_at: expiresAt,
      user_agent: userAgent,
      last_used_at: null,
    };
    return this.#db.transaction().execute(async (db) => {
      if (password !== undefined && !(await lockUser(db, senderId, password))) return false;
      await db.insertInto('session').values(row).execute();
      // Without the new session, which seems to be the oldest if the clock was set back.
      const newest = db
        .selectFrom('session')
        .select('hash')
        .where('key_id', '=', senderId)
        .where('hash', '!=', hash)
        .orderBy('created_at', 'desc')
        .orderBy('hash')
        .limit(MAX_PER_OWNER - 1);
      await db
        .deleteFrom('session')
        .where(({ or, and, eb }) =>
          or([
            eb('expires_at', '<=', createdAt),
            and([eb('key_id', '=', senderId), eb('hash', '!=', hash), eb('hash', 'not in', newest)]),
          ]),
        )
        .execute();
      return true;
    });
  }

  /** Also returns an expired session that is not removed yet. */
  async find(hash: string): Promise<Session | undefined> {
    return (await this.findAll([hash])).get(hash);
  }

  /** The sessions that exist, by hash. */
  async findAll(hashes: readonly string[]): Promise<Map<string, Session>> {
    const rows = await this.#db.selectFrom('session').selectAll().where('hash', 'in', hashes).execute();
    return new Map(rows.map((row) => [row.hash, sessionFromRow(row)]));
  }

  /** The sessions of a key or user, newest first, without expired ones. */
  async list(senderId: string, now: number): Promise<ListedSession[]> {
    const rows = await this.#db
      .selectFrom('session')
      .innerJoin('tenant', 'tenant.id', 'session.tenant_id')
      .selectAll('session')
      .select('tenant.name as tenant')
      .where('key_id', '=', senderId)
      .where('expires_at', '>', now)
      .orderBy('session.created_at', 'desc')
      .orderBy('hash')
      .execute();
    return rows.map((row) => ({ ...sessionFromRow(row), tenant: row.tenant }));
  }

  /** Gives a session another tenant, with a new token. False if it has ended. */
  async move(hash: string, to: { readonly hash: string; readonly tenantId: number }): Promise<boolean> {
    const query = this.#db.updateTable('session').set({ hash: to.hash, tenant_id: to.tenantId });
    return (await query.where('hash', '=', hash).executeTakeFirst()).numUpdatedRows > 0n;
  }

  async remove(hash: string): Promise<void> {
    await this.#db.deleteFrom('session').where('hash', '=', hash).execute();
  }

  /** False if the key or user has no such session. */
  async removeById(senderId: string, id: string): Promise<boolean> {
    const query = this.#db.deleteFrom('session').where('key_id', '=', senderId).where('id', '=', id);
    return (await query.executeTakeFirst()).numDeletedRows > 0n;
  }

  /** Ends the sessions of a key or user in all tenants or one; returns how many. */
  end(of: EndedSessions): Promise<number> {
    return endSessions(this.#db, of);
  }

  async recordUse(uses: readonly { readonly hash: string; readonly at: number }[]): Promise<void> {
    for (const { hash, at } of uses) {
      await this.#db.updateTable('session').set({ last_used_at: at }).where('hash', '=', hash).execute();
    }
  }
}

/** Locks the row until the end of the transaction: a new password waits for it, and then ends the session. */
async function lockUser(db: Kysely<Tables>, id: string, password: string): Promise<boolean> {
  const query = db.updateTable('app_user').set({ password }).where('id', '=', id);
  return (await query.where('password', '=', password).executeTakeFirst()).numUpdatedRows > 0n;
}

interface EndedSessions {
  readonly senderId: string;
  readonly tenantId?: number;
  /** The hash of one that goes on. */
  readonly except?: string | undefined;
}

export async function endSessions(
  db: Kysely<Tables>,
  { senderId, tenantId, except }: EndedSessions,
): Promise<number> {
  let query = db.deleteFrom('session').where('key_id', '=', senderId);
  if (tenantId !== undefined) query = query.where('tenant_id', '=', tenantId);
  if (except !== undefined) query = query.where('hash', '!=', except);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}

function sessionFromRow(row: Selectable<Tables['session']>): Session {
  return {
    hash: row.hash,
    // A session of a server of the previous version has no id; it cannot be ended by it, and ends by itself.
    id: row.id ?? '',
    tenantId: row.tenant_id,
    senderId: row.key_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    userAgent: row.user_agent,
  };
}
