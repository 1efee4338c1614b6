import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { type Database, databases } from '../support/databases.js';
import { dumpTables } from '../support/dump-tables.js';
import { run, runJson, Service, start } from '../support/service.js';

const ACCOUNTS = 300;
const DAY_MS = 86_400_000;

/** Creates a tenant with rows in every table, and returns the line with which commands name the database. */
async function createOther(url: string): Promise<string> {
  const store = await openStore({ database: url });
  const { directory } = store;
  await directory.createTenant('other', { hosts: ['other.test'] }, 1);
  const tenantId = (await directory.findTenant({ name: 'other' }))?.id ?? Number.NaN;
  const key = { id: 'k1', hash: 'h', scopes: ['sync'], label: 'crm', createdAt: 3, expiresAt: null } as const;
  await directory.keys.add({ ...key, tenantId });
  await directory.attributes.set(tenantId, {
    name: 'custom_Tier',
    type: 'text',
    choices: [],
    readOnly: false,
    indexed: true,
  });
  await store.indexBuilds.build(tenantId, 'custom_Tier');
  await directory.blocked.add(tenantId, '*.test');
  const patches = [{ accountId: 'acme', fields: { name: 'Acme', custom_Tier: 'gold' } }];
  const at = Date.now();
  await store.upsert({ tenantId, patches, requestId: 'r', senderId: 'k1', at, bytes: 1 });
  const refused = {
    at,
    requestId: 'r',
    senderId: 'k1',
    runId: null,
    operation: 'upsert-account',
    status: 400,
  };
  const empty = { place: null, accountId: null, errors: null, problem: 'No data available.', record: null };
  const total = new Map([[at, 1]]);
  await store.jobs.recordRejections([{ tenantId, rejections: [{ ...refused, ...empty }], total }], at);
  await store.jobs.countChanges(tenantId, at);
  await store.close();
  return `Database: ${store.location}\n`;
}

describe.each(databases)('the demo on %s', (_name, createDatabase) => {
  let database: Database;
  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(() => database.remove());
  const json = (...args: string[]) => runJson(database.settings, ...args);
  const make = (...args: string[]) => json('demo', '--accounts', String(ACCOUNTS), ...args);

  it('is created while a server runs, which serves it until it is removed', async () => {
    const service = await Service.start(database.settings);
    const made = await make();
    const get = async (path: string, key: string = made.read_key.key) => {
      const response = await fetch(`${service.url}/api/v2/${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return { status: response.status, body: (await response.json()) as Answer };
    };
    expect(made).toEqual({
      tenant: 'demo',
      accounts: ACCOUNTS,
      console: 'http://127.0.0.1:8080/console',
      admin_key: { id: expect.any(String), key: expect.any(String), scopes: ['sync', 'read', 'admin'] },
      read_key: { id: expect.any(String), key: expect.any(String), scopes: ['read'] },
    });
    const from = new Date(Date.now() - 15 * DAY_MS).toISOString();
    const days = (await get(`stats?unit=day&from=${from}`)).body;
    const sum = (what: 'created' | 'deleted' | 'refused') =>
      days.data.reduce((total, day) => total + Number(day[what]), 0);
    expect([days.accounts, sum('created') - sum('deleted')]).toEqual([ACCOUNTS, ACCOUNTS]);
    const refusals = (await get('rejections?limit=1000')).body.data;
    // From 188 to 264, depending on the hour and the day of the week.
    expect(refusals.length).toBeGreaterThan(150);
    expect(refusals.length).toBeLessThanOrEqual(sum('refused'));
    expect((await get('stats?unit=minute')).body.data.length).toBeGreaterThan(15);
    const enterprise = await get('accounts?attribute=custom_Tier:Enterprise');
    expect(enterprise.status).toBe(200);
    const keys = (await get('keys', made.admin_key.key)).body.data;
    expect(keys.map(({ state }) => state).sort()).toEqual(
      [...Array(5).fill('live'), 'revoked', 'expired'].sort(),
    );
    expect((await get('audit?limit=100', made.admin_key.key)).body.data.length).toBeGreaterThan(20);

    const stream = await fetch(`${service.url}/api/v2/changes?after=latest`, {
      headers: { authorization: `Bearer ${made.read_key.key}`, accept: 'text/event-stream' },
    });
    await json('demo', '--remove');
    expect(await stream.text()).toBe(': changes follow\n\n');
    expect((await get('accounts')).status).toBe(401);
    expect((await get('accounts', service.key)).status).toBe(200);
    expect(await service.stop()).toBe(0);
    expect(service.output.stderr).not.toMatch(/"level":"(warn|error)"/);
  });

  it('is not created twice, and its removal deletes all its rows and no others', async () => {
    const named = await createOther(database.url);
    const before = await dumpTables(database.url);
    await make();
    expect(await run(['demo'], database.settings)).toEqual({
      status: 1,
      stdout: '',
      stderr: `${named}The tenant demo already exists. Remove it first: account-sync demo --remove\n`,
    });
    const { tenant, removed } = await json('demo', '--remove');
    const { configuration: _, ...after } = await dumpTables(database.url);
    const { configuration: __, ...expected } = before;
    expect(withoutNumbers(after)).toEqual(withoutNumbers(expected));
    expect([tenant, removed.tenant, removed.api_key, removed.attribute]).toEqual(['demo', 1, 7, 14]);
    expect(removed.account).toBe(ACCOUNTS + 1);
    expect((await run(['demo', '--remove'], database.settings)).stderr).toBe(
      `${named}The tenant demo does not exist. Nothing was removed.\n`,
    );
  });

  it('reports that it is removed while it is created', async () => {
    const making = start(['demo', '--accounts', '100000'], database.settings);
    const store = await openStore({ database: database.url });
    await vi.waitFor(
      async () => expect(await store.directory.findTenant({ name: 'demo' })).toBeDefined(),
      30_000,
    );
    await store.close();
    await json('demo', '--remove');
    const { status, stdout, stderr } = await making.finished;
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^Database: .*\n(replaying .*\n)*The tenant was removed while the demo data was written\. .* no longer valid\.\n$/,
    );
  });

  it('does not touch a tenant demo that it did not create', async () => {
    const named = await createOther(database.url);
    await json('tenant', 'create', 'demo');
    await json('key', 'create', 'demo');
    expect(await run(['demo'], database.settings)).toEqual({
      status: 1,
      stdout: '',
      stderr: `${named}The tenant demo already exists and was not created by this command. Use another database: set DATABASE_URL or ACCOUNT_SYNC_DATA_DIR.\n`,
    });
    expect(await run(['demo', '--remove', '--json'], database.settings)).toEqual({
      status: 1,
      stdout: '',
      stderr: '{"error":"The tenant demo was not created by this command. Nothing was removed."}\n',
    });
    expect((await json('tenant', 'show', 'demo')).name).toBe('demo');
  });
});

interface Answer {
  readonly accounts: number;
  readonly data: readonly Record<string, unknown>[];
}

/** Ignores the sequence table of SQLite. */
function withoutNumbers({ sqlite_sequence: _, ...tables }: Awaited<ReturnType<typeof dumpTables>>) {
  return tables;
}
