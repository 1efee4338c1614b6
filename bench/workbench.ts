import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PostgresServer, queryOnce } from '../test/support/postgres/postgres-server.js';
import { AccountSource } from './account-source.js';
import { ServerProcess } from './server-process.js';

export const CEILING = 'bare node:http';
export const EXPRESS = 'Express + zod + pg';
export const EXPRESS_HISTORY = 'Express + zod + pg, with history';
export const ON_SQLITE = 'account-sync, SQLite';
export const ON_POSTGRES = 'account-sync, PostgreSQL';

export interface Target {
  readonly name: string;
  readonly url: string;
  readonly key: string;
  readonly pid: number;
  /** The main process of PostgreSQL, if the target uses it. */
  readonly databasePid?: number;
  readonly source: AccountSource;
  /** Accounts that never change, for a re-sync. */
  readonly unchanged: AccountSource;
}

/** A fixed key, so that it stays valid when a server starts again. */
const KEY = 'account-sync-bench-key-0123456789';
const SERVICE = [fileURLToPath(new URL('../../main.js', import.meta.url)), 'serve'];
const peer = (name: string) => [fileURLToPath(new URL(`./${name}.js`, import.meta.url))];

/** The environment of a run: a directory for all files, a PostgreSQL server, and the processes started so far. */
export class Workbench {
  readonly #processes = new Set<ServerProcess>();
  #stores = 0;

  private constructor(
    readonly directory: string,
    readonly postgres: PostgresServer,
  ) {}

  /** Stops all processes and removes all files afterwards, also after an error. */
  static async use<T>(work: (workbench: Workbench) => Promise<T>): Promise<T> {
    const directory = mkdtempSync(join(tmpdir(), 'account-sync-bench-'));
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
    // PostgreSQL uses it too, as another user if this process runs as root.
    chmodSync(directory, 0o755);
    process.env.TMPDIR = directory;
    // PostgreSQL runs with its default settings, so a commit is on disk before it is acknowledged.
    const workbench = new Workbench(directory, await PostgresServer.start());
    try {
      return await work(workbench);
    } finally {
      await workbench.stopAll();
      await workbench.postgres.remove();
    }
  }

  /** The main process of PostgreSQL. */
  get postgresPid(): number {
    const file = join(this.postgres.directory, 'data', 'postmaster.pid');
    return Number.parseInt(readFileSync(file, 'utf8'), 10);
  }

  startCeiling(): Promise<Target> {
    return this.#target(CEILING, peer('ceiling'), {});
  }

  async startExpress(name: typeof EXPRESS | typeof EXPRESS_HISTORY): Promise<Target> {
    const args = [...peer('express-peer'), ...(name === EXPRESS_HISTORY ? ['history'] : [])];
    return this.#target(name, args, { DATABASE_URL: await this.postgres.createDatabase() });
  }

  async startService(name: string, settings: Record<string, string>): Promise<Target> {
    return this.#target(name, SERVICE, settings);
  }

  /** The settings of the service for a new, empty store. */
  async emptyStore(name: typeof ON_SQLITE | typeof ON_POSTGRES): Promise<Record<string, string>> {
    this.#stores += 1;
    const database: Record<string, string> =
      name === ON_SQLITE
        ? { ACCOUNT_SYNC_DATA_DIR: join(this.directory, `data-${this.#stores}`) }
        : { DATABASE_URL: await this.postgres.createDatabase() };
    return { ACCOUNT_SYNC_PORT: '0', ACCOUNT_SYNC_API_KEY: KEY, ...database };
  }

  /** Runs pending maintenance, so that PostgreSQL does not start it during a round. */
  async settlePostgres(url: string): Promise<void> {
    await queryOnce(url, 'vacuum analyze');
    await queryOnce(url, 'checkpoint');
  }

  async stop({ pid }: Target): Promise<void> {
    for (const process of this.#processes) {
      if (process.pid === pid) await process.stop();
    }
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#processes].map((process) => process.stop()));
  }

  async #target(name: string, args: readonly string[], settings: Record<string, string>): Promise<Target> {
    const server = new ServerProcess(name, args, settings);
    this.#processes.add(server);
    return {
      name,
      url: await server.address,
      key: KEY,
      pid: server.pid,
      ...('DATABASE_URL' in settings && { databasePid: this.postgresPid }),
      source: new AccountSource('Account'),
      unchanged: new AccountSource('Steady'),
    };
  }
}
