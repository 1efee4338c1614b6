import { pino } from 'pino';
import { vi } from 'vitest';
import { hashKey } from '../../../dist/domain/api-key.js';
import { BEGINNING } from '../../../dist/store/schema/position.js';
import { RunningServer } from '../../http/running-server.js';
import { NOON } from '../../http/v2-server.js';
import type { Database } from '../../support/databases.js';
import { clientOf } from './client-of.js';
import type { Client } from './operation.js';
import type { Key, Scope } from './tenant-model.js';
import { TenantModel } from './tenant-model.js';

const SCOPES: readonly Scope[] = ['sync', 'read', 'admin'];

interface Served {
  readonly server: RunningServer;
  readonly url: string;
}

/** The service on a database, with a model of the expected data for each tenant of the run. */
export class ModelledService {
  now = NOON;
  readonly #database: Database;
  #served: Served;
  #tenants = new Map<number, TenantModel>();
  #ids = new Map<TenantModel, number>();
  #created = 0;
  /** On PostgreSQL, the feed shows a change only when all older transactions have ended, also those of the service. */
  readonly feedDelayMs: number;
  /** The warnings in the log of the service. */
  readonly warnings: string[];

  private constructor(database: Database, served: Served, warnings: string[]) {
    this.#database = database;
    this.feedDelayMs = database.url.startsWith('postgres') ? 30_000 : 0;
    this.#served = served;
    this.warnings = warnings;
  }

  static async open(database: Database): Promise<ModelledService> {
    const warnings: string[] = [];
    const service: ModelledService = new ModelledService(
      database,
      await serve(database, () => service.now, warnings),
      warnings,
    );
    return service;
  }

  /** Starts a new run: removes the tenants of the last run, and resets the clock. */
  begin(): void {
    this.now = NOON;
    this.warnings.length = 0;
    this.#tenants = new Map();
    this.#ids = new Map();
  }

  get tenants(): readonly TenantModel[] {
    return [...this.#tenants.values()];
  }

  /** Creates the tenant when a run first uses it. */
  async tenant(number: number): Promise<TenantModel> {
    const known = this.#tenants.get(number);
    if (known !== undefined) return known;
    this.#created += 1;
    const model = new TenantModel(`tenant-${this.#created}`, this.now);
    const key = keyFor(`first${this.#created}`, this.now);
    const { directory } = this.#served.server.store;
    // On an overloaded machine, a lock may be held for longer than the service waits for it.
    await vi.waitFor(() => directory.createTenant(model.name, {}, model.createdAt, stored(key)), 60_000);
    model.keys.push(key);
    this.#ids.set(model, (await directory.findTenant({ name: model.name }))?.id ?? Number.NaN);
    this.#tenants.set(number, model);
    // Keys are listed by creation time, so the next key gets a later one.
    this.now += 1;
    await this.addKey(model, 'crm');
    this.now += 1;
    return model;
  }

  /** Adds a key directly to the database: of another source, or for a tenant without a live key that can read. */
  async addKey(model: TenantModel, label = ''): Promise<Key> {
    this.#created += 1;
    const key = keyFor(`more${this.#created}`, this.now, label);
    const tenantId = this.#ids.get(model) ?? Number.NaN;
    await this.#served.server.store.directory.keys.add({ ...stored(key), tenantId });
    model.keys.push(key);
    return key;
  }

  /** Updates the counts, which the service otherwise does within a second. */
  async count(model: TenantModel): Promise<void> {
    const id = this.#ids.get(model) ?? Number.NaN;
    while (!(await this.#served.server.store.jobs.countChanges(id, this.now)));
  }

  async restart(): Promise<void> {
    await this.#served.server.stop();
    this.#served = await serve(this.#database, () => this.now, this.warnings);
  }

  async close(): Promise<void> {
    await this.#served.server.stop();
    await this.#database.remove();
  }

  client(key: Key, requestId: string): Client {
    const { feedDelayMs } = this;
    return clientOf(this.#served.url, key, requestId, {
      feedDelayMs,
      runOf: (request) => this.#runOf(key, request),
    });
  }

  async #runOf(key: Key, requestId: string): Promise<string | undefined> {
    const model = this.tenants.find(({ keys }) => keys.some(({ id }) => id === key.id));
    const tenantId = (model && this.#ids.get(model)) ?? Number.NaN;
    if (!model?.changes.some((change) => change.request_id === requestId)) return undefined;
    const { feed } = this.#served.server.store;
    return vi.waitFor(
      async () => {
        const { entries } = await feed.search(tenantId, BEGINNING, 1, { requestId });
        if (entries[0] === undefined) throw new Error(`The feed has no changes of ${requestId} yet.`);
        return String(entries[0].runId);
      },
      { timeout: Math.max(this.feedDelayMs, 1_000), interval: 5 },
    );
  }
}

async function serve(database: Database, clock: () => number, warnings: string[]): Promise<Served> {
  const logger = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) });
  const store = { database: database.url, serving: true };
  const server = await RunningServer.start({ store, clock, parts: { logger } });
  return { server, url: await server.app.listen({ host: '127.0.0.1', port: 0 }) };
}

function keyFor(id: string, created_at: number, label = ''): Key {
  const secret = `key-of-${id}`.padEnd(32, '-');
  return { id, secret, scopes: SCOPES, label, created_at, expires_at: null, revoked_at: null };
}

function stored({ id, secret, scopes, label, created_at }: Key) {
  return { id, hash: hashKey(secret), scopes, label, createdAt: created_at, expiresAt: null };
}
