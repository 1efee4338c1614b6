import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../schema/tables.js';

/** A browser that has signed in with a key. */
export interface Session {
  /** Of the token, which itself is kept nowhere. */
  readonly hash: string;
  readonly tenantId: number;
  readonly keyId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

const MAX_PER_KEY = 50;

/** They are looked at often enough for their end to apply soon, so no change of them is one of the configuration. */
export class Sessions {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Removes all that have expired, and the oldest of a key that has too many: nobody can fill the disk. */
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
      // Beside the new one, which may seem to be the oldest where the clock was set back.
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

  /** Also one that has expired and is not removed yet. */
  async find(hash: string): Promise<Session | undefined> {
    return (await this.findAll([hash])).get(hash);
  }

  /** Those that exist, by their hashes. */
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
