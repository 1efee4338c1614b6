import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, AccountSync, type ChangePage, type ListFilter } from '@account-sync/client';
import { all } from '../client/scripted-server.js';
import { type Database, freshSqlite } from '../databases.js';
import { type Finished, freshDirectory, run, runJson, Service, type Settings, start } from '../service.js';

/** Name, and what else `attribute set` is given. */
export type Declaration = readonly [name: string, ...options: string[]];

export type Stored = Pick<Account, 'account_id' | 'parent_account_id' | 'name' | 'fields'>;

/** Whoever imports: a running service with a tenant, a key for it, and a directory for files. */
export class ImportCaller {
  private constructor(
    readonly database: Database,
    readonly service: Service,
    readonly directory: string,
    readonly key: string,
  ) {}

  static async start(
    declared: readonly Declaration[],
    createDatabase: () => Promise<Database> = freshSqlite,
  ): Promise<ImportCaller> {
    const [database, directory] = await Promise.all([createDatabase(), freshDirectory()]);
    const key = await createTenant(database, 'acme', declared);
    const service = await Service.start(database.settings);
    return new ImportCaller(database, service, directory, key);
  }

  /** The same for another tenant of the same service. */
  async toTenant(name: string, declared: readonly Declaration[]): Promise<ImportCaller> {
    const key = await createTenant(this.database, name, declared);
    return new ImportCaller(this.database, this.service, this.directory, key);
  }

  async end(): Promise<void> {
    await this.service.stop();
    await Promise.all([this.database.remove(), rm(this.directory, { recursive: true })]);
  }

  get settings(): Settings {
    return { ACCOUNT_SYNC_URL: this.service.url, ACCOUNT_SYNC_KEY: this.key };
  }

  get client(): AccountSync {
    return new AccountSync({ url: this.service.url, key: this.key });
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  async write(name: string, content: string | Buffer): Promise<string> {
    await writeFile(this.path(name), content);
    return this.path(name);
  }

  async files(): Promise<string[]> {
    return (await readdir(this.directory)).sort();
  }

  async import(...args: string[]): Promise<Finished> {
    return withoutPace(await run(['import', ...args], this.settings));
  }

  /** With this on standard input. */
  async importPiped(content: string | Buffer, ...args: string[]): Promise<Finished> {
    const { child, finished } = start(['import', '-', ...args], this.settings);
    child.stdin?.end(content);
    return withoutPace(await finished);
  }

  /** The answer to a GET. */
  async get<Body>(path: string): Promise<Body> {
    const headers = { authorization: `Bearer ${this.key}` };
    return (await fetch(new URL(path, this.service.url), { headers })).json() as Promise<Body>;
  }

  /** What has changed since, or where the feed is now. */
  changes(after = 'latest'): Promise<ChangePage> {
    return this.get(`/api/v2/changes?after=${after}`);
  }

  async stored(filter: ListFilter = {}): Promise<Stored[]> {
    const accounts = await all(this.client.list(filter));
    return accounts.map(({ account_id, parent_account_id, name, fields }) => ({
      account_id,
      parent_account_id,
      name,
      fields,
    }));
  }
}

async function createTenant(database: Database, name: string, declared: readonly Declaration[]) {
  const command = (...args: string[]) => runJson(database.settings, ...args);
  await command('tenant', 'create', name);
  const [{ key }] = await Promise.all([
    command('key', 'create', name, '--scope', 'sync', 'read'),
    ...declared.map(([attribute, ...options]) => command('attribute', 'set', name, attribute, ...options)),
  ]);
  return key as string;
}

/** How long it took is told only where it took a second or more, which is the machine's business. */
function withoutPace({ status, stdout, stderr }: Finished): Finished {
  return { status, stdout: stdout.replace(/ in [\d a-z]+ \([\d,]+ a second\)/, ''), stderr };
}
