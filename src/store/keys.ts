import type { Kysely, Selectable, Transaction } from 'kysely';
import type { KeyLife, Scope } from '../domain/api-key.js';
import { changeConfiguration } from './change-configuration.js';
import type { Tables } from './tables.js';

export interface NewKey {
  readonly id: string;
  readonly tenantId: number;
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly label: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export interface KeyRecord extends Omit<NewKey, 'hash'>, KeyLife {
  readonly lastUsedAt: number | null;
}

/** API keys, of which only the hash is kept. */
export class Keys {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async find(hash: string): Promise<KeyRecord | undefined> {
    const row = await this.#db.selectFrom('api_key').selectAll().where('hash', '=', hash).executeTakeFirst();
    return row && keyFromRow(row);
  }

  /** Oldest first, those that have ended included. */
  async list(tenantId: number): Promise<KeyRecord[]> {
    const query = this.#db.selectFrom('api_key').selectAll().where('tenant_id', '=', tenantId);
    return (await query.orderBy('created_at').orderBy('id').execute()).map(keyFromRow);
  }

  add(key: NewKey): Promise<void> {
    return changeConfiguration(this.#db, (db) => insertKey(db, key));
  }

  revoke(tenantId: number, keyId: string, at: number): Promise<void> {
    return changeConfiguration(this.#db, async (db) => {
      const query = db.updateTable('api_key').set({ revoked_at: at }).where('tenant_id', '=', tenantId);
      await query.where('id', '=', keyId).execute();
    });
  }

  /** Adds the successor of a key of the same tenant, which itself ends at `until`. */
  rotate(keyId: string, until: number, successor: NewKey): Promise<void> {
    return changeConfiguration(this.#db, async (db) => {
      await insertKey(db, successor);
      const query = db.updateTable('api_key').set({ expires_at: until }).where('id', '=', keyId);
      await query.where('tenant_id', '=', successor.tenantId).execute();
    });
  }
}

/** As part of a change of the configuration. */
export async function insertKey(db: Transaction<Tables>, key: NewKey): Promise<void> {
  const { id, tenantId, hash, scopes, label, createdAt, expiresAt } = key;
  const row = {
    id,
    tenant_id: tenantId,
    hash,
    scopes: JSON.stringify(scopes),
    label,
    created_at: createdAt,
    expires_at: expiresAt,
  };
  await db.insertInto('api_key').values(row).execute();
}

function keyFromRow(row: Selectable<Tables['api_key']>): KeyRecord {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    scopes: JSON.parse(row.scopes),
    label: row.label,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
