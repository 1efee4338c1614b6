import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { type Config, readConfig } from '../../dist/config.js';
import { hashKey } from '../../dist/domain/api-key.js';
import { buildServer, type ServerParts } from '../../dist/http/server.js';
import { type OpenOptions, openStore } from '../../dist/store/open-store.js';
import { openConnection } from '../../dist/store/sqlite/connection.js';
import type { Store } from '../../dist/store/store.js';
import type { TenantChanges } from '../../dist/store/tenants/directory.js';
import { noteLeaks } from '../support/leaks.js';
import { freshDirectory } from '../support/service.js';

/** A server with a real store in this process, so that a test can read its log and break its database. */
export class RunningServer {
  private constructor(
    readonly app: FastifyInstance,
    readonly store: Store,
    readonly dataDir: string,
    readonly log: readonly Record<string, unknown>[],
  ) {}

  static async start(
    options: {
      config?: Partial<Config>;
      store?: Partial<OpenOptions>;
      clock?: () => number;
      parts?: Partial<ServerParts>;
    } = {},
  ): Promise<RunningServer> {
    const dataDir = await freshDirectory();
    const store = await openStore({ database: `sqlite:${dataDir}`, ...options.store });
    const log: Record<string, unknown>[] = [];
    const tokens = new Set<string>();
    const write = (line: string) => {
      noteLeaks('the log', line, tokens);
      log.push(JSON.parse(line));
    };
    const logger = pino({ level: 'debug' }, { write });
    const config = { ...readConfig({}), ...options.config };
    const parts = { config, store, clock: options.clock ?? Date.now, logger, ...options.parts };
    const app = await buildServer(parts);
    watchAnswers(app, tokens);
    return new RunningServer(app, store, dataDir, log);
  }

  /** Adds a tenant with a key, both with this name. */
  async addTenant(
    name: string,
    settings: TenantChanges = {},
    expiresAt: number | null = null,
  ): Promise<string> {
    await this.store.directory.createTenant(name, settings, 1);
    const tenant = await this.store.directory.findTenant({ name });
    const key = `key-of-${name}`.padEnd(32, '-');
    await this.store.directory.keys.add({
      id: name,
      tenantId: tenant?.id ?? 0,
      hash: hashKey(key),
      scopes: ['sync'],
      label: '',
      createdAt: 1,
      expiresAt,
    });
    return key;
  }

  post(path: string, key: string, body: unknown, options: InjectOptions = {}) {
    return this.app.inject({
      ...options,
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...options.headers },
      payload: JSON.stringify(body),
    });
  }

  /** Changes the database directly, without the service. */
  breakDatabase(statement: string): void {
    const db = openConnection(join(this.dataDir, 'account-sync.db'));
    db.exec(statement);
    db.close();
  }

  async stop(): Promise<void> {
    // As the program does: a connection becomes idle only after its request, and would be kept alive.
    const idle = setInterval(() => this.app.server.closeIdleConnections(), 50);
    await this.app.close();
    clearInterval(idle);
    await this.store.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** The operations that create keys, secrets of webhooks, and one-time links. */
const NEW_SECRET =
  /^\/api\/v2\/(keys(\/[^/]+\/rotate)?|webhooks(\/[^/]+\/rotate-secret)?|invitations|users\/[^/]+\/password-link)(\?|$)/;

/** Responses contain secrets only when they create them: new keys, webhooks and links, and cookies of sign-ins. */
function watchAnswers(app: FastifyInstance, tokens: Set<string>): void {
  const inject = app.inject.bind(app) as (options: InjectOptions | string) => Promise<LightMyRequestResponse>;
  app.inject = (async (options: InjectOptions | string) => {
    const answer = await inject(options);
    const { method = 'GET', url } = typeof options === 'string' ? { url: options } : options;
    const { 'set-cookie': cookie, ...headers } = answer.headers;
    const name = `the response to ${method} ${url}`;
    const isNewSecret = answer.statusCode === 201 && NEW_SECRET.test(String(url));
    noteLeaks(name, isNewSecret ? JSON.stringify(headers) : JSON.stringify(headers) + answer.body, tokens);
    const [, token] = /=([\w-]{43});/.exec(String(cookie ?? '')) ?? [];
    if (token !== undefined) tokens.add(token);
    return answer;
  }) as FastifyInstance['inject'];
}
