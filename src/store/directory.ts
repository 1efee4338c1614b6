import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Scope } from '../domain/api-key.js';
import type { TypeName } from '../domain/attribute-types.js';
import type { AccountIdMode, Attribute, TenantSettings, UndeclaredFieldMode } from '../domain/tenant.js';
import type { Tables } from './tables.js';

export interface Tenant extends TenantSettings {
  readonly id: number;
  readonly name: string;
  readonly hosts: readonly string[];
  readonly createdAt: number;
}

export interface TenantChanges {
  readonly accountIds?: AccountIdMode | undefined;
  readonly undeclaredFields?: UndeclaredFieldMode | undefined;
  /** Replaces the whole list. */
  readonly hosts?: readonly string[] | undefined;
}

export interface NewKey {
  readonly id: string;
  readonly tenantId: number;
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly label: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export interface KeyRecord extends Omit<NewKey, 'hash'> {
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

/** A name that must be unique is in use; nothing was changed. */
export class Taken extends Error {}

/** Tenants, settings and keys: shared by all databases, since none of it is on the way of every request. */
export class Directory {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Changes with everything below but the last use of keys; equal versions mean that a cache is fresh. */
  async version(): Promise<number> {
    const row = await this.#db.selectFrom('configuration').select('version').executeTakeFirstOrThrow();
    return row.version;
  }

  async tenantNames(): Promise<string[]> {
    const rows = await this.#db.selectFrom('tenant').select('name').orderBy('name').execute();
    return rows.map((row) => row.name);
  }

  async findTenant(by: { readonly name: string } | { readonly id: number }): Promise<Tenant | undefined> {
    const query = this.#db.selectFrom('tenant').selectAll();
    const row = await ('id' in by ? query.where('id', '=', by.id) : query.where('name', '=', by.name))
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const [attributes, blocked, hosts] = await Promise.all([
      this.#db.selectFrom('attribute').selectAll().where('tenant_id', '=', row.id).orderBy('name').execute(),
      this.#db
        .selectFrom('blocked_id')
        .selectAll()
        .where('tenant_id', '=', row.id)
        .orderBy('pattern')
        .execute(),
      this.#db
        .selectFrom('tenant_host')
        .selectAll()
        .where('tenant_id', '=', row.id)
        .orderBy('host')
        .execute(),
    ]);
    return {
      id: row.id,
      name: row.name,
      accountIds: row.account_ids as AccountIdMode,
      undeclaredFields: row.undeclared_fields as UndeclaredFieldMode,
      attributes: attributes.map(attributeFromRow),
      blockedPatterns: blocked.map(({ pattern }) => pattern),
      hosts: hosts.map(({ host }) => host),
      createdAt: row.created_at,
    };
  }

  /** Host name → tenant id. */
  async hosts(): Promise<Map<string, number>> {
    const rows = await this.#db.selectFrom('tenant_host').selectAll().execute();
    return new Map(rows.map(({ host, tenant_id }) => [host, tenant_id]));
  }

  /** Rejects with `Taken` where the name, or a host, is another tenant's. */
  createTenant(name: string, settings: TenantChanges, createdAt: number): Promise<void> {
    return this.#change(async (db) => {
      const inserted = await db
        .insertInto('tenant')
        .values({ name, account_ids: 'any', undeclared_fields: 'keep', created_at: createdAt })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (inserted === undefined) throw new Taken(`There is already a tenant ${name}.`);
      await changeTenant(db, inserted.id, settings);
    });
  }

  /** Rejects with `Taken` where a host is another tenant's. */
  changeTenant(tenantId: number, changes: TenantChanges): Promise<void> {
    return this.#change((db) => changeTenant(db, tenantId, changes));
  }

  async findKey(hash: string): Promise<KeyRecord | undefined> {
    const row = await this.#db.selectFrom('api_key').selectAll().where('hash', '=', hash).executeTakeFirst();
    return row && keyFromRow(row);
  }

  async keys(tenantId: number): Promise<KeyRecord[]> {
    const query = this.#db.selectFrom('api_key').selectAll().where('tenant_id', '=', tenantId);
    return (await query.orderBy('created_at').orderBy('id').execute()).map(keyFromRow);
  }

  addKey(key: NewKey): Promise<void> {
    return this.#change(async (db) => {
      const { id, hash, label } = key;
      const times = { created_at: key.createdAt, expires_at: key.expiresAt };
      const row = { id, tenant_id: key.tenantId, hash, scopes: JSON.stringify(key.scopes), label, ...times };
      await db.insertInto('api_key').values(row).execute();
    });
  }

  revokeKey(tenantId: number, keyId: string, at: number): Promise<void> {
    return this.#changeKey(tenantId, keyId, { revoked_at: at });
  }

  expireKey(tenantId: number, keyId: string, at: number): Promise<void> {
    return this.#changeKey(tenantId, keyId, { expires_at: at });
  }

  setAttribute(tenantId: number, attribute: Attribute): Promise<void> {
    return this.#change(async (db) => {
      const definition = {
        type: attribute.type,
        choices: JSON.stringify(attribute.choices),
        read_only: attribute.readOnly ? 1 : 0,
      };
      await db
        .insertInto('attribute')
        .values({ tenant_id: tenantId, name: attribute.name, ...definition })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doUpdateSet(definition))
        .execute();
    });
  }

  removeAttribute(tenantId: number, name: string): Promise<boolean> {
    return this.#change(async (db) => {
      const query = db.deleteFrom('attribute').where('tenant_id', '=', tenantId).where('name', '=', name);
      return (await query.executeTakeFirst()).numDeletedRows === 1n;
    });
  }

  /** False where it is blocked already. */
  block(tenantId: number, pattern: string): Promise<boolean> {
    return this.#change(async (db) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('blocked_id')
        .values({ tenant_id: tenantId, pattern })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'pattern']).doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    });
  }

  unblock(tenantId: number, pattern: string): Promise<boolean> {
    return this.#change(async (db) => {
      const query = db
        .deleteFrom('blocked_id')
        .where('tenant_id', '=', tenantId)
        .where('pattern', '=', pattern);
      return (await query.executeTakeFirst()).numDeletedRows === 1n;
    });
  }

  #changeKey(tenantId: number, keyId: string, set: { revoked_at: number } | { expires_at: number }) {
    return this.#change(async (db) => {
      const query = db.updateTable('api_key').set(set).where('id', '=', keyId);
      await query.where('tenant_id', '=', tenantId).execute();
    });
  }

  #change<T>(work: (db: Transaction<Tables>) => Promise<T>): Promise<T> {
    return this.#db.transaction().execute(async (db) => {
      // First of all: it takes the write lock, so that nothing read below can be outdated when it is written.
      await db
        .updateTable('configuration')
        .set((set) => ({ version: set('version', '+', 1) }))
        .execute();
      return work(db);
    });
  }
}

async function changeTenant(db: Transaction<Tables>, id: number, changes: TenantChanges): Promise<void> {
  const { accountIds, undeclaredFields, hosts } = changes;
  const settings = {
    ...(accountIds !== undefined && { account_ids: accountIds }),
    ...(undeclaredFields !== undefined && { undeclared_fields: undeclaredFields }),
  };
  if (Object.keys(settings).length > 0) {
    await db.updateTable('tenant').set(settings).where('id', '=', id).execute();
  }
  if (hosts === undefined) return;
  await db.deleteFrom('tenant_host').where('tenant_id', '=', id).execute();
  if (hosts.length === 0) return;
  const taken = await db
    .selectFrom('tenant_host')
    .select('host')
    .where('host', 'in', hosts)
    .executeTakeFirst();
  if (taken !== undefined) throw new Taken(`The host ${taken.host} belongs to another tenant.`);
  const rows = hosts.map((host) => ({ host, tenant_id: id }));
  await db.insertInto('tenant_host').values(rows).execute();
}

function attributeFromRow(row: Tables['attribute']): Attribute {
  return {
    name: row.name,
    type: row.type as TypeName,
    choices: JSON.parse(row.choices),
    readOnly: row.read_only === 1,
  };
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
