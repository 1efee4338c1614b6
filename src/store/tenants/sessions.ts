import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../schema/tables.js';

/** A browser that has signed in with a key. */
export interface Session {
  /** The hash of the token; the token itself is not stored. */
  readonly hash: string;
  readonly tenantId: number;
  readonly keyId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

const MAX_PER_KEY = 50;

/** Browser sessions. They are read often, so a change takes effect soon without a new configuration version. */
export class Sessions {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * Also removes all expired sessions, and the oldest of a key with too many, so that sign-ins cannot fill the disk.
   */
  create({ hash, tenantId, keyId, createdAt, expiresAt }: Session): Promise<void> {
    const row = {
      hash,
      tenant_id: tenantId,
      key_id: keyId,
      created_at: createdAt,
      expires_at: expiresAt,
    };
    return this.#db.transaction().execute(async (db) => {
      await db.insertInto('session').values(row).execute();
      // Without the new session, which seems to be the oldest if the clock was set back.
      const newest = db
        .selectFrom('session')
        .select('hash')
        .where('key_id', '=', keyId)
        .where('hash', '!=', hash)
        .orderBy('created_at', 'desc')
        .orderBy('hash')
        .limit(MAX_PER_KEY - 1);
      await db
        .deleteFrom('session')
        .where(({ or, and, eb }) =>
          or([
            eb('expires_at', '<=', createdAt),
            and([eb('key_id', '=', keyId), eb('hash', '!=', hash), eb('hash', 'not in', newest)]),
          ]),
        )
        .execute();
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

  async remove(hash: string): Promise<void> {
    await this.#db.deleteFrom('session').where('hash', '=', hash).execute();
  }
}

function sessionFromRow(row: Selectable<Tables['session']>): Session {
  return {
    hash: row.hash,
    tenantId: row.tenant_id,
    keyId: row.key_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
