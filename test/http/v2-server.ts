import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { Config } from '../../dist/config.js';
import { generateKey, hashKey, SCOPES, type Scope } from '../../dist/domain/api-key.js';
import type { JsonValue } from '../../dist/domain/json.js';
import type { Store } from '../../dist/store/store.js';
import type { TenantChanges } from '../../dist/store/tenants/directory.js';
import type { Database } from '../support/databases.js';
import { RunningServer } from './running-server.js';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON, compared as a whole or in parts.
  readonly body: any;
}

export const NOON = Date.UTC(2027, 0, 31, 12);
/** NOON plus some milliseconds, in the format of the API. */
export const at = (milliseconds = 0) => new Date(NOON + milliseconds).toISOString();

/** One server and database for all tests of a file; each test uses its own tenant. */
export class V2Server {
  now = NOON;
  #server: RunningServer | undefined;
  #database: Database | undefined;
  #tenants = 0;

  async start(createDatabase: () => Promise<Database>, config: Partial<Config> = {}): Promise<void> {
    this.#database = await createDatabase();
    const store = { database: this.#database.url, serving: true };
    this.#server = await RunningServer.start({ store, config, clock: () => this.now });
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    await this.#database?.remove();
  }

  get app(): FastifyInstance {
    return (this.#server as RunningServer).app;
  }

  get store(): Store {
    return (this.#server as RunningServer).store;
  }

  get log(): RunningServer['log'] {
    return (this.#server as RunningServer).log;
  }

  get database(): Database {
    return this.#database as Database;
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  /** A new tenant, with a key that has all scopes. */
  async tenant(settings: TenantChanges = {}): Promise<Tenant> {
    this.now = NOON;
    this.#tenants += 1;
    const keyId = `k${this.#tenants}`;
    const name = `tenant-${this.#tenants}`;
    await this.store.directory.createTenant(name, settings, NOON);
    const id = (await this.store.directory.findTenant({ name }))?.id ?? Number.NaN;
    const tenant = new Tenant(this, id, name, keyId);
    await tenant.addKey(SCOPES, { id: tenant.keyId, key: tenant.key });
    return tenant;
  }

  /** Another process, as far as caches are concerned, with the same database and time. Stop it. */
  another(): Promise<RunningServer> {
    return RunningServer.start({ store: { database: this.databaseUrl }, clock: () => this.now });
  }

  async inject(options: InjectOptions): Promise<Answer> {
    const { statusCode, headers, body } = await this.app.inject(options);
    return { status: statusCode, headers, body: body === '' ? undefined : JSON.parse(body) };
  }
}

/** Starts before and stops after the tests of the describe block that calls this. */
export function useServer(createDatabase: () => Promise<Database>, config: Partial<Config> = {}): V2Server {
  const server = new V2Server();
  beforeAll(() => server.start(createDatabase, config), 60_000);
  afterAll(() => server.stop(), 60_000);
  return server;
}

export class Tenant {
  readonly key: string;

  constructor(
    readonly server: V2Server,
    readonly id: number,
    readonly name: string,
    readonly keyId: string,
  ) {
    this.key = `key-of-${name}`.padEnd(32, '-');
  }

  /** The key. */
  async addKey(
    scopes: readonly Scope[],
    issued = generateKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes))),
    expiresAt: number | null = null,
  ): Promise<string> {
    const hash = hashKey(issued.key);
    const key = { id: issued.id, tenantId: this.id, hash, scopes, label: '', createdAt: NOON, expiresAt };
    await this.server.store.directory.keys.add(key);
    return issued.key;
  }

  call(
    method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return this.server.inject({
      method,
      url: `/api/v2${path}`,
      headers: { authorization: `Bearer ${this.key}`, 'x-request-id': 'r', ...type, ...headers },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('GET', path, undefined, headers);
  }

  /** All entries of a listing, read in pages. */
  async all(path: string, limit: number): Promise<JsonValue[]> {
    const entries: JsonValue[] = [];
    const url = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
    for (let next: string | null = ''; next !== null; ) {
      const { status, body }: Answer = await this.get(next === '' ? url : `${url}&cursor=${next}`);
      expect(status).toBe(200);
      expect(body.data.length).toBeLessThanOrEqual(limit);
      entries.push(...body.data);
      next = body.next;
    }
    return entries;
  }

  /** Sends records in sequence, with one millisecond between them. */
  async sync(...records: Record<string, unknown>[]): Promise<void> {
    for (const record of records) {
      const answer = await this.server.inject({
        method: 'POST',
        url: '/api/v1_1/account',
        headers: {
          authorization: `Bearer ${this.key}`,
          'content-type': 'application/json',
          'x-request-id': 'r',
        },
        payload: JSON.stringify(record),
      });
      expect(answer).toMatchObject({ status: 200, body: { success: true } });
      this.server.now += 1;
    }
  }
}

/** The body of an error. */
export function problem(status: number, code: string, detail: string, errors: Record<string, string> = {}) {
  const [slug, title] = PROBLEMS[status] as readonly [string, string];
  return {
    type: `urn:problem:account-sync:${slug}`,
    title,
    status,
    detail,
    code,
    request_id: 'r',
    errors: Object.entries(errors).map(([pointer, text]) => ({ pointer, detail: text })),
  };
}

/** The body of an invalid request, with a pointer to each problem. */
export const invalid = (errors: Record<string, string>) =>
  problem(400, 'invalid_request', 'The request is not valid.', errors);

const PROBLEMS: Record<number, readonly [string, string]> = {
  400: ['invalid-request', 'Bad Request'],
  401: ['unauthenticated', 'Unauthorized'],
  403: ['forbidden', 'Forbidden'],
  404: ['not-found', 'Not Found'],
  405: ['method-not-allowed', 'Method Not Allowed'],
  409: ['conflict', 'Conflict'],
  412: ['changed', 'Precondition Failed'],
  413: ['too-large', 'Payload Too Large'],
  415: ['unsupported-media-type', 'Unsupported Media Type'],
  428: ['revision-required', 'Precondition Required'],
  429: ['rate-limited', 'Too Many Requests'],
  500: ['internal-error', 'Internal Server Error'],
};

/** An account in the format of the API, created at noon and unchanged, except for what is passed. */
export function account(account_id: string, given: Record<string, unknown> = {}) {
  return {
    account_id,
    parent_account_id: null,
    name: null,
    fields: {},
    undeclared: [],
    revision: 1,
    created_at: at(),
    updated_at: at(),
    archived_at: null,
    ...given,
  };
}

/** For effects that a cache or a count delays. */
export function eventually(check: () => Promise<unknown>): Promise<unknown> {
  return vi.waitFor(check, { timeout: 30_000, interval: 25 });
}
