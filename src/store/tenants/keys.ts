import { randomBytes } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';
import {
  type ApiKey,
  adoptKey,
  generateKey,
  hashKey,
  type KeyLife,
  keyState,
  type Scope,
} from '../../domain/api-key.js';
import { sourceNameFor } from '../../domain/source.js';
import type { Tables } from '../schema/tables.js';
import { type Actor, changeConfiguration, commandLine, recordChange } from './configuration-changes.js';
import { requireSource, sourceOfNewKey } from './sources.js';

export interface NewKey {
  readonly id: string;
  readonly tenantId: number;
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly label: string;
  /** By default one that is named after the label. */
  readonly source?: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export interface KeyRecord extends Omit<NewKey, 'hash'>, KeyLife {
  readonly source: string;
  readonly lastUsedAt: number | null;
}

/** Nothing was changed: without this key only the operator could manage the tenant. */
export class LastAdminKey extends Error {}

/** API keys. Only their hashes are stored. */
export class Keys {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async find(hash: string): Promise<KeyRecord | undefined> {
    return (await this.findAll([hash])).get(hash);
  }

  /** The keys that exist, by hash. */
  async findAll(hashes: readonly string[]): Promise<Map<string, KeyRecord>> {
    const rows = await this.#db.selectFrom('api_key').selectAll().where('hash', 'in', hashes).execute();
    return new Map(rows.map((row) => [row.hash, keyFromRow(row)]));
  }

  async get(tenantId: number, keyId: string): Promise<KeyRecord | undefined> {
    const query = this.#db.selectFrom('api_key').selectAll().where('tenant_id', '=', tenantId);
    const row = await query.where('id', '=', keyId).executeTakeFirst();
    return row && keyFromRow(row);
  }

  /** Oldest first, including revoked and expired keys. */
  async list(tenantId: number): Promise<KeyRecord[]> {
    return listKeys(this.#db, tenantId);
  }

  /** Returns the source of the key. Rejects with `UnknownSource` if it names one that does not exist. */
  add(key: NewKey, by: Actor = commandLine()): Promise<string> {
    return changeConfiguration(this.#db, async (db) => {
      if (key.source !== undefined) await requireSource(db, key.tenantId, key.source);
      return insertKey(db, key, by);
    });
  }

  /** Gives a key another source. Rejects with `UnknownSource` if it does not exist. */
  moveTo(tenantId: number, keyId: string, source: string, by: Actor = commandLine()): Promise<void> {
    return changeConfiguration(this.#db, async (db) => {
      await requireSource(db, tenantId, source);
      const before = (await listKeys(db, tenantId)).find(({ id }) => id === keyId);
      const query = db.updateTable('api_key').set({ source }).where('tenant_id', '=', tenantId);
      await query.where('id', '=', keyId).execute();
      const change = { action: 'key.source', subject: keyId, from: before?.source ?? null, to: source };
      await recordChange(db, tenantId, by, change);
    });
  }

  /** With `keepAdmin` it rejects with `LastAdminKey` if the tenant would have no valid admin key, and no administrator. */
  revoke(
    tenantId: number,
    keyId: string,
    at: number,
    { by = commandLine(), keepAdmin = false }: { by?: Actor; keepAdmin?: boolean } = {},
  ): Promise<void> {
    return changeConfiguration(this.#db, async (db) => {
      const keys = await listKeys(db, tenantId);
      const isLiveAdmin = (key: KeyRecord) => keyState(key, at) === 'live' && key.scopes.includes('admin');
      const others = keys.filter((key) => key.id !== keyId && isLiveAdmin(key));
      const isAdmin = keys.some((key) => key.id === keyId && isLiveAdmin(key));
      if (keepAdmin && isAdmin && others.length === 0 && !(await hasAdmin(db, tenantId)))
        throw new LastAdminKey();
      const query = db.updateTable('api_key').set({ revoked_at: at }).where('tenant_id', '=', tenantId);
      await query.where('id', '=', keyId).execute();
      await recordChange(db, tenantId, by, { action: 'key.revoke', subject: keyId, from: null, to: null });
    });
  }

  /** Adds the successor of a key; the key itself expires at `until`. */
  rotate(keyId: string, until: number, successor: NewKey, by: Actor = commandLine()): Promise<void> {
    return changeConfiguration(this.#db, async (db) => {
      await insertKey(db, successor, by);
      const query = db.updateTable('api_key').set({ expires_at: until }).where('id', '=', keyId);
      await query.where('tenant_id', '=', successor.tenantId).execute();
      const change = { action: 'key.rotate', subject: keyId, from: null };
      await recordChange(db, successor.tenantId, by, {
        ...change,
        to: { successor: successor.id, expires_at: new Date(until).toISOString() },
      });
    });
  }
}

async function listKeys(db: Kysely<Tables>, tenantId: number): Promise<KeyRecord[]> {
  const query = db.selectFrom('api_key').selectAll().where('tenant_id', '=', tenantId);
  return (await query.orderBy('created_at').orderBy('id').execute()).map(keyFromRow);
}

async function hasAdmin(db: Transaction<Tables>, tenantId: number): Promise<boolean> {
  const members = db.selectFrom('membership').select('user_id').where('tenant_id', '=', tenantId);
  const active = members.where('disabled_at', 'is', null).where('removed_at', 'is', null);
  return (await active.where('role', '=', 'admin').limit(1).executeTakeFirst()) !== undefined;
}

/** Must run within `changeConfiguration`. */
export async function insertKey(db: Transaction<Tables>, key: NewKey, by: Actor): Promise<string> {
  const { id, tenantId, hash, scopes, label, createdAt, expiresAt } = key;
  const source = await sourceOfNewKey(db, key);
  const row = {
    id,
    tenant_id: tenantId,
    hash,
    scopes: JSON.stringify(scopes),
    label,
    created_at: createdAt,
    expires_at: expiresAt,
    source,
  };
  await db.insertInto('api_key').values(row).execute();
  const expires = expiresAt === null ? null : new Date(expiresAt).toISOString();
  const to = { scopes, label, source, expires_at: expires };
  await recordChange(db, tenantId, by, { action: 'key.create', subject: id, from: null, to });
  return source;
}

function keyFromRow(row: Selectable<Tables['api_key']>): KeyRecord {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    scopes: JSON.parse(row.scopes),
    label: row.label,
    source: row.source ?? sourceNameFor(row.label),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

export type KeyOptions = Pick<NewKey, 'scopes' | 'label' | 'source' | 'expiresAt'>;

/** How a new key is stored: on its own, with its tenant, or as the successor of another. */
type StoreKey<Options> = (key: Options & Pick<NewKey, 'id' | 'hash' | 'createdAt'>) => Promise<unknown>;

/** Creates a key, or stores one that the operator supplies. Only the returned value contains the key itself. */
export async function issueKey<Options extends KeyOptions>(
  store: StoreKey<Options>,
  options: Options,
  own?: string,
): Promise<ApiKey> {
  const issued = own === undefined ? generateKey(randomBytes) : adoptKey(own, randomBytes);
  await store({ ...options, id: issued.id, hash: hashKey(issued.key), createdAt: Date.now() });
  return issued;
}
