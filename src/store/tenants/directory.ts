import type { Kysely, Transaction } from 'kysely';
import { jsonEqual } from '../../domain/json.js';
import type { AccountIdMode, TenantSettings, UndeclaredFieldMode } from '../../domain/tenant.js';
import type { Dialect } from '../dialect.js';
import { NameTaken } from '../errors.js';
import type { Tables } from '../schema/tables.js';
import { Attributes } from './attributes.js';
import { BlockedPatterns } from './blocked-patterns.js';
import {
  type Actor,
  type AuditEntry,
  changeConfiguration,
  commandLine,
  readAudit,
  recordChange,
} from './configuration-changes.js';
import { Identities } from './identities.js';
import { insertKey, Keys, type NewKey } from './keys.js';
import { OneTimeLinks } from './one-time-links.js';
import { type RemovalProgress, type RemovedRows, removeTenant } from './remove-tenant.js';
import { Sessions } from './sessions.js';
import { Sources } from './sources.js';
import { Users } from './users.js';

export interface Tenant extends TenantSettings {
  readonly id: number;
  readonly name: string;
  readonly hosts: readonly string[];
  /** How many days changes are kept; null for forever. */
  readonly historyDays: number | null;
  /** How many days rejections are kept; null for the server's setting. */
  readonly rejectionDays: number | null;
  readonly createdAt: number;
}

export interface TenantChanges {
  readonly accountIds?: AccountIdMode | undefined;
  readonly undeclaredFields?: UndeclaredFieldMode | undefined;
  /** Replaces the whole list. */
  readonly hosts?: readonly string[] | undefined;
  readonly historyDays?: number | null | undefined;
  readonly rejectionDays?: number | null | undefined;
}

/** Tenants, settings, keys, users and sessions. Both databases share this code, because few requests reach it. */
export class Directory {
  readonly keys: Keys;
  readonly sessions: Sessions;
  readonly users: Users;
  readonly links: OneTimeLinks;
  readonly identities: Identities;
  readonly sources: Sources;
  readonly attributes: Attributes;
  readonly blocked: BlockedPatterns;
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.keys = new Keys(db);
    this.sessions = new Sessions(db);
    this.users = new Users(db);
    this.links = new OneTimeLinks(db);
    this.identities = new Identities(db);
    this.sources = new Sources(db);
    this.attributes = new Attributes(db);
    this.blocked = new BlockedPatterns(db);
    this.#db = db;
    this.#dialect = dialect;
  }

  /**
   * Increases with every change except of sessions and the last use of keys. A cache with the same version is fresh.
   */
  async version(): Promise<number> {
    const row = await this.#db.selectFrom('configuration').select('version').executeTakeFirstOrThrow();
    return row.version;
  }

  async tenantIds(): Promise<number[]> {
    return (await this.#db.selectFrom('tenant').select('id').execute()).map(({ id }) => id);
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
    const [attributes, blockedPatterns, trackedSources, hosts] = await Promise.all([
      this.attributes.list(row.id),
      this.blocked.list(row.id),
      this.sources.tracked(row.id),
      hostsOf(this.#db, row.id),
    ]);
    return {
      id: row.id,
      name: row.name,
      accountIds: row.account_ids as AccountIdMode,
      undeclaredFields: row.undeclared_fields as UndeclaredFieldMode,
      attributes,
      blockedPatterns,
      trackedSources,
      hosts,
      historyDays: row.history_days,
      rejectionDays: row.rejection_days,
      createdAt: row.created_at,
    };
  }

  /** Host name → tenant id. */
  async hosts(): Promise<Map<string, number>> {
    const rows = await this.#db.selectFrom('tenant_host').selectAll().execute();
    return new Map(rows.map(({ host, tenant_id }) => [host, tenant_id]));
  }

  /** Also stores its first key, if given. Rejects with `NameTaken` if another tenant has the name or a host. */
  createTenant(
    name: string,
    settings: TenantChanges,
    createdAt: number,
    firstKey?: Omit<NewKey, 'tenantId'>,
    by: Actor = commandLine(),
  ): Promise<void> {
    return changeConfiguration(this.#db, async (db) => {
      const inserted = await db
        .insertInto('tenant')
        .values({ name, account_ids: 'any', undeclared_fields: 'keep', created_at: createdAt })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (inserted === undefined) throw new NameTaken(`There is already a tenant ${name}.`);
      await changeSettings(db, inserted.id, settings);
      const change = { action: 'tenant.create', subject: name, from: null };
      await recordChange(db, inserted.id, by, { ...change, to: await settingsOf(db, inserted.id) });
      if (firstKey !== undefined) await insertKey(db, { ...firstKey, tenantId: inserted.id }, by);
    });
  }

  /** Rejects with `NameTaken` if another tenant has a host. */
  changeTenant(tenantId: number, changes: TenantChanges, by: Actor = commandLine()): Promise<void> {
    return changeConfiguration(this.#db, async (db) => {
      const from = await settingsOf(db, tenantId);
      await changeSettings(db, tenantId, changes);
      const change = { action: 'settings.change', subject: 'settings', from };
      const to = await settingsOf(db, tenantId);
      if (!jsonEqual(from, to)) await recordChange(db, tenantId, by, { ...change, to });
    });
  }

  /** Removes a tenant with all its data. It takes seconds, in short transactions. */
  removeTenant(tenantId: number, onProgress: RemovalProgress): Promise<RemovedRows> {
    return removeTenant(this.#db, this.#dialect, tenantId, onProgress);
  }

  audit(tenantId: number, before: number | undefined, limit: number): Promise<AuditEntry[]> {
    return readAudit(this.#db, tenantId, before, limit);
  }
}

async function hostsOf(db: Kysely<Tables>, tenantId: number): Promise<string[]> {
  const query = db.selectFrom('tenant_host').select('host').where('tenant_id', '=', tenantId);
  return (await query.orderBy('host').execute()).map(({ host }) => host);
}

async function settingsOf(db: Transaction<Tables>, id: number) {
  const settings = await db
    .selectFrom('tenant')
    .select(['account_ids', 'undeclared_fields', 'history_days', 'rejection_days'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { ...settings, hosts: await hostsOf(db, id) };
}

async function changeSettings(db: Transaction<Tables>, id: number, changes: TenantChanges): Promise<void> {
  const { accountIds, undeclaredFields, hosts, historyDays, rejectionDays } = changes;
  const settings = {
    ...(accountIds !== undefined && { account_ids: accountIds }),
    ...(undeclaredFields !== undefined && { undeclared_fields: undeclaredFields }),
    ...(historyDays !== undefined && { history_days: historyDays }),
    ...(rejectionDays !== undefined && { rejection_days: rejectionDays }),
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
  if (taken !== undefined) throw new NameTaken(`The host ${taken.host} belongs to another tenant.`);
  const rows = hosts.map((host) => ({ host, tenant_id: id }));
  await db.insertInto('tenant_host').values(rows).execute();
}
