import { randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, AccountSync, type ChangePage, type ListFilter } from '@account-sync/client';
import { generateKey, hashKey } from '../../dist/domain/api-key.js';
import type { Attribute } from '../../dist/domain/tenant.js';
import { openStore } from '../../dist/store/open-store.js';
import { all } from '../client/scripted-server.js';
import { type Database, freshSqlite } from '../support/databases.js';
import {
  type Finished,
  freshDirectory,
  run,
  runJson,
  Service,
  type Settings,
  start,
} from '../support/service.js';

const SCOPES = ['sync', 'read'] as const;

export type Declaration = Pick<Attribute, 'name' | 'type'> & Partial<Attribute>;

export type Stored = Pick<Account, 'account_id' | 'parent_account_id' | 'name' | 'fields'>;

/** A running service with tenants and their keys, and a directory for import files. */
export class ImportCaller {
  private constructor(
    readonly database: Database,
    readonly service: Service,
    readonly directory: string,
    private readonly keys: ReadonlyMap<string, string>,
    private readonly tenant = 'acme',
  ) {}

  /** All tenants declare the same attributes. */
  static async start(
    declared: readonly Declaration[],
    createDatabase: () => Promise<Database> = freshSqlite,
    otherTenants: readonly string[] = [],
  ): Promise<ImportCaller> {
    const [database, directory] = await Promise.all([createDatabase(), freshDirectory()]);
    const keys = await createTenants(database, ['acme', ...otherTenants], declared);
    const service = await Service.start(database.settings);
    return new ImportCaller(database, service, directory, keys);
  }

  ofTenant(name: string): ImportCaller {
    return new ImportCaller(this.database, this.service, this.directory, this.keys, name);
  }

  /** The same tenant, with a new key of these scopes. */
  async withScopes(...scopes: readonly string[]): Promise<ImportCaller> {
    const { tenant, database, service, directory } = this;
    const { key } = await runJson(database.settings, 'key', 'create', tenant, '--scope', ...scopes);
    return new ImportCaller(database, service, directory, new Map([[tenant, key]]), tenant);
  }

  async end(): Promise<void> {
    await this.service.stop();
    await Promise.all([this.database.remove(), rm(this.directory, { recursive: true })]);
  }

  get key(): string {
    return this.keys.get(this.tenant) ?? '';
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

  import(...args: string[]): Promise<Finished> {
    return this.importBy(this.settings, ...args);
  }

  /** Imports with other settings. */
  async importBy(settings: Settings, ...args: string[]): Promise<Finished> {
    return withoutNumbers(await run(['import', ...args], settings));
  }

  /** Imports from standard input. */
  importPiped(content: string | Buffer, ...args: string[]): Promise<Finished> {
    return this.importPipedBy({}, content, ...args);
  }

  /** Imports from standard input with further settings. */
  async importPipedBy(settings: Settings, content: string | Buffer, ...args: string[]): Promise<Finished> {
    const { child, finished } = start(['import', '-', ...args], { ...this.settings, ...settings });
    // A command that fails early does not read all of it.
    child.stdin?.on('error', () => {}).end(content);
    return withoutNumbers(await finished);
  }

  /** Runs the Singer target with these messages on standard input. */
  async singer(messages: readonly (object | string)[], ...args: string[]): Promise<Finished> {
    const { child, finished } = start(['singer', ...args], this.settings);
    child.stdin?.end(messages.map(lineOf).join(''));
    const { status, stdout, stderr } = await finished;
    return { status, stdout, stderr: withoutNumbers({ status, stdout: stderr, stderr }).stdout };
  }

  /** The response body of a GET request. */
  async get<Body>(path: string): Promise<Body> {
    const headers = { authorization: `Bearer ${this.key}` };
    return (await fetch(new URL(path, this.service.url), { headers })).json() as Promise<Body>;
  }

  /** The changes after a cursor; without one, the current end of the feed. */
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

function lineOf(message: object | string): string {
  return `${typeof message === 'string' ? message : JSON.stringify(message)}\n`;
}

/** Returns their keys. Uses the store, because the command line would take longer than most tests. */
async function createTenants(
  { url }: Database,
  names: readonly string[],
  declared: readonly Declaration[],
): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  const store = await openStore({ database: url });
  const createdAt = Date.now();
  for (const name of names) {
    const { id, key } = generateKey(randomBytes);
    const firstKey = { id, hash: hashKey(key), scopes: SCOPES, label: '', createdAt, expiresAt: null };
    await store.directory.createTenant(name, {}, createdAt, firstKey);
    const { id: tenantId = 0 } = (await store.directory.findTenant({ name })) ?? {};
    for (const attribute of declared) {
      await store.directory.attributes.set(tenantId, { choices: [], readOnly: false, ...attribute });
    }
    keys.set(name, key);
  }
  await store.close();
  return keys;
}

/** Removes the speed, which is printed only if the import took a second or more, and the number of the run. */
export function withoutNumbers({ status, stdout, stderr }: Finished): Finished {
  const shown = stdout
    .replace(/ in [\d a-z]+ \([\d,]+ a second\)/, '')
    .replace(/^Run (\d+)\. Show it again with: account-sync run show \1\n/m, '');
  return { status, stdout: shown, stderr };
}
