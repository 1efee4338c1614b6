import type { Kysely, Transaction } from 'kysely';
import type { TypeName } from '../domain/attribute-types.js';
import type { AccountIdMode, Attribute, TenantSettings, UndeclaredFieldMode } from '../domain/tenant.js';
import { changeConfiguration } from './change-configuration.js';
import { insertKey, Keys, type NewKey } from './keys.js';
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

/** A name that must be unique is in use; nothing was changed. */
export class Taken extends Error {}

/** Tenants, settings and keys: shared by all databases, since none of it is on the way of every request. */
export class Directory {
  readonly keys: Keys;
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.keys = new Keys(db);
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

  /** With its first key, where there is one. Rejects with `Taken` where the name, or a host, is another tenant's. */
  createTenant(
    name: string,
    settings: TenantChanges,
    createdAt: number,
    firstKey?: Omit<NewKey, 'tenantId'>,
  ): Promise<void> {
    return changeConfiguration(this.#db, async (db) => {
      const inserted = await db
        .insertInto('tenant')
        .values({ name, account_ids: 'any', undeclared_fields: 'keep', created_at: createdAt })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (inserted === undefined) throw new Taken(`There is already a tenant ${name}.`);
      await changeTenant(db, inserted.id, settings);
      if (firstKey !== undefined) await insertKey(db, { ...firstKey, tenantId: inserted.id });
    });
  }

  /** Rejects with `Taken` where a host is another tenant's. */
  changeTenant(tenantId: number, changes: TenantChanges): Promise<void> {
    return changeConfiguration(this.#db, (db) => changeTenant(db, tenantId, changes));
  }

  setAttribute(tenantId: number, attribute: Attribute): Promise<void> {
    return changeConfiguration(this.#db, async (db) => {
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
    return changeConfiguration(this.#db, async (db) => {
      const query = db.deleteFrom('attribute').where('tenant_id', '=', tenantId).where('name', '=', name);
      return (await query.executeTakeFirst()).numDeletedRows === 1n;
    });
  }

  /** False where it is blocked already. */
  block(tenantId: number, pattern: string): Promise<boolean> {
    return changeConfiguration(this.#db, async (db) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('blocked_id')
        .values({ tenant_id: tenantId, pattern })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'pattern']).doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    });
  }

  unblock(tenantId: number, pattern: string): Promise<boolean> {
    return changeConfiguration(this.#db, async (db) => {
      const query = db
        .deleteFrom('blocked_id')
        .where('tenant_id', '=', tenantId)
        .where('pattern', '=', pattern);
      return (await query.executeTakeFirst()).numDeletedRows === 1n;
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
