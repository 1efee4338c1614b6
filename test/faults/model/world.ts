import { pino } from 'pino';
import { hashKey } from '../../../dist/domain/api-key.js';
import type { Database } from '../../databases.js';
import { RunningServer } from '../../http/running-server.js';
import { NOON } from '../../http/v2-server.js';
import { type Answer, answer } from './answers.js';
import type { Client } from './operation.js';
import type { Key, Scope } from './tenant-model.js';
import { TenantModel } from './tenant-model.js';

const SCOPES: readonly Scope[] = ['sync', 'read', 'admin'];
/** Those that say something about what was done. */
const HEADERS = ['account-sync-result', 'deprecation', 'link', 'www-authenticate', 'etag'];

/** The service on a database, and for each tenant of the run what it should have stored. */
export class World {
  now = NOON;
  readonly #database: Database;
  #server: RunningServer;
  #tenants = new Map<number, TenantModel>();
  #ids = new Map<TenantModel, number>();
  #made = 0;
  /** What the service has warned of. */
  readonly warnings: string[];

  private constructor(database: Database, server: RunningServer, warnings: string[]) {
    this.#database = database;
    this.#server = server;
    this.warnings = warnings;
  }

  static async open(database: Database): Promise<World> {
    const warnings: string[] = [];
    const world: World = new World(database, await serve(database, () => world.now, warnings), warnings);
    return world;
  }

  /** Forgets the tenants of the last run, and sets the clock back. */
  begin(): void {
    this.now = NOON;
    this.warnings.length = 0;
    this.#tenants = new Map();
    this.#ids = new Map();
  }

  get tenants(): readonly TenantModel[] {
    return [...this.#tenants.values()];
  }

  /** Made when it is first spoken of. */
  async tenant(number: number): Promise<TenantModel> {
    const known = this.#tenants.get(number);
    if (known !== undefined) return known;
    this.#made += 1;
    const model = new TenantModel(`tenant-${this.#made}`, this.now);
    const key = keyFor(`first${this.#made}`, this.now);
    const { directory } = this.#server.store;
    await directory.createTenant(model.name, {}, this.now, stored(key));
    model.keys.push(key);
    this.#ids.set(model, (await directory.findTenant({ name: model.name }))?.id ?? Number.NaN);
    this.#tenants.set(number, model);
    // Keys are listed by the moment they were made.
    this.now += 1;
    return model;
  }

  /** For a tenant that has left itself without a key to read with. */
  async addKey(model: TenantModel): Promise<Key> {
    this.#made += 1;
    const key = keyFor(`more${this.#made}`, this.now);
    const tenantId = this.#ids.get(model) ?? Number.NaN;
    await this.#server.store.directory.keys.add({ ...stored(key), tenantId });
    model.keys.push(key);
    return key;
  }

  /** Has counted what is otherwise counted within a second. */
  async count(model: TenantModel): Promise<void> {
    const id = this.#ids.get(model) ?? Number.NaN;
    while (!(await this.#server.store.chores.countChanges(id, this.now)));
  }

  async restart(): Promise<void> {
    await this.#server.stop();
    this.#server = await serve(this.#database, () => this.now, this.warnings);
  }

  async close(): Promise<void> {
    await this.#server.stop();
    await this.#database.remove();
  }

  client(key: Key, requestId: string): Client {
    const ask: Client['ask'] = async (method, url, body, headers = {}) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const got = await this.#server.app.inject({
        method,
        url,
        headers: { authorization: `Bearer ${key.secret}`, 'x-request-id': requestId, ...type, ...headers },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const known = HEADERS.filter((name) => got.headers[name] !== undefined);
      const shown = Object.fromEntries(known.map((name) => [name, String(got.headers[name])]));
      return answer(got.statusCode, read(got.body, String(got.headers['content-type'])), shown);
    };
    return { ask, pages: (url, limit) => allPages(ask, url, limit) };
  }
}

function serve(database: Database, clock: () => number, warnings: string[]): Promise<RunningServer> {
  const logger = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) });
  return RunningServer.start({ store: { database: database.url, serving: true }, clock, parts: { logger } });
}

function keyFor(id: string, created_at: number): Key {
  const secret = `key-of-${id}`.padEnd(32, '-');
  return { id, secret, scopes: SCOPES, label: '', created_at, expires_at: null, revoked_at: null };
}

function stored({ id, secret, scopes, label, created_at }: Key) {
  return { id, hash: hashKey(secret), scopes, label, createdAt: created_at, expiresAt: null };
}

/** Lists whose order means nothing are sorted; of what is wrong with a request the places are enough. */
function read(text: string, type: string): unknown {
  if (text === '') return undefined;
  const sorted = (key: string, value: unknown) => {
    if (key === 'changed' || (key === 'undeclared' && typeof (value as unknown[])[0] === 'string'))
      return (value as string[]).toSorted();
    if (key === 'changes')
      return (value as { field: string }[]).toSorted((a, b) => (a.field < b.field ? -1 : 1));
    return value;
  };
  if (type.startsWith('application/x-ndjson'))
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line, sorted));
  const body = JSON.parse(text, sorted);
  const isProblem = type.startsWith('application/problem+json') && body.errors.length > 0;
  return isProblem ? { pointers: body.errors.map(({ pointer }: { pointer: string }) => pointer) } : body;
}

async function allPages(ask: Client['ask'], url: string, limit: number): Promise<Answer> {
  const first = await ask('GET', `${url}limit=${limit}`);
  if (first.status !== 200) return first;
  const merged = { ...(first.body as Record<string, unknown> & { data: unknown[] }) };
  while (merged.next !== null) {
    const cursor = encodeURIComponent(String(merged.next));
    const { body } = await ask('GET', `${url}limit=${limit}&cursor=${cursor}`);
    const { data, next, ...others } = body as typeof merged;
    if (data.length > limit) throw new Error(`A page of ${limit} has ${data.length} entries.`);
    const told = Object.entries(others).filter(([, value]) => value !== null);
    Object.assign(merged, Object.fromEntries(told), { data: [...merged.data, ...data], next });
  }
  return { ...first, body: merged };
}
