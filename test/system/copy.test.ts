import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { NUMBERS_PER_SET } from '../../dist/store/schema/change-set.js';
import type { Store } from '../../dist/store/store.js';
import { type Database, emptyPostgres, freshSqlite } from '../support/databases.js';
import { joinTenant } from '../support/join-tenant.js';
import { environment, PROGRAM, run, runJson, Service } from '../support/service.js';

const AT = 1_700_000_000_000;
const ACCOUNTS = 6_000;
const OTHERS = 30;
/** Four requests, and the first has too many changes for one set. */
const SETS = Math.ceil(ACCOUNTS / NUMBERS_PER_SET) + 3;
const RUN = { tenantId: 1, source: 'u', senderId: 'k1', at: AT };

/** Two tenants with all kinds of data; the ids sort differently by bytes than by locale. */
async function fill(url: string): Promise<void> {
  const store = await openStore({ database: url });
  const { directory } = store;
  await directory.createTenant('acme', { hosts: ['acme.test'] }, 1);
  await directory.createTenant(
    'other',
    { accountIds: 'domain', undeclaredFields: 'reject', historyDays: 30, rejectionDays: 3 },
    2,
  );
  const key = { id: 'k1', hash: 'h', scopes: ['sync'], label: 'ü', createdAt: 3, expiresAt: null } as const;
  await directory.keys.add({ ...key, tenantId: 1 });
  const session = {
    hash: 's',
    id: 's1',
    tenantId: 1,
    senderId: 'k1',
    createdAt: 3,
    expiresAt: 4,
    userAgent: null,
  };
  await directory.sessions.create(session);
  await addUsers(store);
  await directory.attributes.set(1, { name: 'custom_Tier', type: 'choice', choices: ['ö'], readOnly: true });
  await directory.blocked.add(1, '*.blocked');
  await directory.sources.set(1, 'u', { isTracked: true });
  const { id: runId } = await store.runs.open(RUN, { missing: 'report' });
  const refused = { at: 3, requestId: 'r', senderId: 'k1', runId, operation: 'upsert-account', status: 400 };
  const ofOne = {
    place: null,
    accountId: 'a',
    errors: { licenses: ['no'] },
    problem: null,
    record: { a: 1 },
  };
  const ofAll = { place: null, accountId: null, errors: null, problem: 'No data available.', record: null };
  const rejections = [ofAll, ofOne, ofAll].map((one) => ({ ...refused, ...one }));
  await store.jobs.recordRejections([{ tenantId: 1, rejections, total: new Map() }], 3);
  await addWebhook(store);
  await upsert(store, 1, 0, ACCOUNTS);
  await upsert(store, 1, 0, OTHERS, { name: 'changed', custom_X: { ключ: [1.5, null, '\u2028"'] } });
  await upsert(store, 2, 0, OTHERS);
  const pushed = { source: 'u', accountIds: ['ä-1', '👩-4', 'a-5'] };
  await store.upsert({ tenantId: 1, patches: [], pushed, requestId: 'r', senderId: 'k1', at: AT, bytes: 1 });
  const deletion = { accountId: 'a-5', fields: {}, erase: true } as const;
  await store.upsert({ tenantId: 1, patches: [deletion], requestId: 'r', senderId: 'k1', at: AT, bytes: 1 });
  await store.close();
}

const EMAILS = ['ü@acme.example', 'b@acme.example', 'former@acme.example'] as const;

/** One in both tenants, a disabled and a former one, an open invitation, and a link to set a password. */
async function addUsers(store: Store): Promise<void> {
  const { links, users } = store.directory;
  const [both, disabled, former] = EMAILS;
  await joinTenant(store, 1, { email: both, name: 'Ü' });
  await joinTenant(store, 2, { email: both, role: 'viewer' });
  const { id } = await joinTenant(store, 1, { email: disabled, role: 'admin' });
  await users.change(1, id, { isDisabled: true });
  await users.recordUse([{ tenantId: 1, userId: id, at: AT }]);
  await users.remove(1, (await joinTenant(store, 1, { email: former })).id);
  const expiresAt = AT + 1_000_000_000_000;
  await links.invite(1, 'editor', { hash: 'invitation', email: 'new@acme.example', expiresAt });
  await links.allowPassword(null, { hash: 'password link', email: both, expiresAt });
}

/** With a rotated secret and a delivery. */
async function addWebhook({ webhooks, deliveryLog }: Store): Promise<void> {
  const filter = { sources: ['u'], fields: ['ü'], values: { custom_Tier: ['ö', 1.5, null] } };
  const settings = {
    url: 'https://example.com/ü',
    description: 'ü',
    events: ['run.finished'],
    batchSize: 7,
  } as const;
  const by = { at: AT, senderId: null, requestId: null };
  const { webhook } = await webhooks.add(1, { ...settings, filter }, { commitOrder: 2 ** 40, seq: 512 }, by);
  await webhooks.rotateSecret(1, webhook.id, by);
  await deliveryLog.add({
    ...{
      tenantId: 1,
      webhookId: webhook.id,
      at: AT,
      messageId: 'msg_1',
      attempt: 2,
      deliveries: 3,
      events: 4,
    },
    ...{ status: null, error: 'It refused the connection.', tookMs: 5, answer: 'ö' },
  });
}

async function upsert(store: Store, tenantId: number, from: number, to: number, fields = {}): Promise<void> {
  const patches = Array.from({ length: to - from }, (_, i) => ({
    accountId: `${['a', 'ä', 'Z', '_', '👩'][i % 5]}-${from + i}`,
    fields: { name: `Account ${i}`, licenses: i, ...fields },
  }));
  await store.upsert({ tenantId, patches, requestId: 'r', senderId: 'k1', at: AT, bytes: 1 });
}

describe.each([
  ['SQLite to PostgreSQL', freshSqlite, emptyPostgres],
  ['PostgreSQL to SQLite', emptyPostgres, freshSqlite],
])('copy from %s', (_name, createSource, createTarget) => {
  let from: Database;
  let to: Database;
  beforeEach(async () => {
    [from, to] = await Promise.all([createSource(), createTarget()]);
    await fill(from.url);
  });
  afterEach(async () => {
    await Promise.all([from.remove(), to.remove()]);
  });
  const copy = () => runJson({}, 'copy', '--from', from.url, '--to', to.url);

  it('copies everything except sessions, compares it, and the service runs on the copy', async () => {
    const { tables } = await copy();
    const rows = Object.fromEntries(
      tables.map((one: { table: string; rows: number }) => [one.table, one.rows]),
    );
    expect(rows).toEqual({
      tenant: 2,
      tenant_host: 1,
      source: 3,
      run: 1,
      attribute: 1,
      blocked_id: 1,
      account: ACCOUNTS + OTHERS,
      pushed: 3,
      change_set: SETS,
      erasure: 1,
      tally: 0,
      period_count: 0,
      field_use: 0,
      rejection: 3,
      webhook: 1,
      webhook_delivery: 1,
      // Two tenants, an attribute, a blocked id, a key, a source, and a webhook with another secret; and of users four
      // invitations that were accepted and one that is open, one disabled, and one removed.
      audit: 19,
      api_key: 1,
      app_user: 3,
      membership: 4,
      one_time_link: 2,
    });
    const [source, target] = await Promise.all([from, to].map(({ url }) => openStore({ database: url })));
    for (const accountId of ['a-0', 'ä-1', '👩-4', 'a-5', 'a-5995']) {
      expect(await target?.accounts.find(1, accountId)).toEqual(await source?.accounts.find(1, accountId));
      expect(await target?.history.read(1, accountId)).toEqual(await source?.history.read(1, accountId));
    }
    expect(await target?.directory.findTenant({ name: 'acme' })).toEqual(
      await source?.directory.findTenant({ name: 'acme' }),
    );
    expect(await target?.directory.keys.find('h')).toEqual(await source?.directory.keys.find('h'));
    for (const email of EMAILS) {
      const user = await source?.directory.users.find({ email });
      expect(await target?.directory.users.find({ email })).toEqual(user ?? 'a user');
      const tenants = await source?.directory.users.tenantsOf(user?.id ?? '');
      expect(await target?.directory.users.tenantsOf(user?.id ?? '')).toEqual(tenants);
    }
    expect(await target?.directory.users.members(1)).toEqual(await source?.directory.users.members(1));
    for (const link of ['invitation', 'password link'])
      expect(await target?.directory.links.find(link)).toEqual(
        (await source?.directory.links.find(link)) ?? 'a link',
      );
    expect(await target?.directory.sources.list(1)).toEqual(await source?.directory.sources.list(1));
    expect(await target?.runs.find(1, 1)).toEqual(await source?.runs.find(1, 1));
    const [webhook] = (await source?.webhooks.list(1)) ?? [];
    const id = webhook?.id ?? '';
    expect(await target?.webhooks.list(1)).toEqual([webhook]);
    const secrets = await source?.webhooks.secrets(1, id, AT);
    expect([secrets?.length, await target?.webhooks.secrets(1, id, AT)]).toEqual([2, secrets]);
    expect(await target?.deliveryLog.page(1, id, undefined, 2)).toEqual([
      expect.objectContaining({ messageId: 'msg_1', attempt: 2, deliveries: 3, events: 4, answer: 'ö' }),
    ]);
    expect(await source?.directory.sessions.find('s')).toBeDefined();
    expect(await target?.directory.sessions.find('s')).toBeUndefined();
    // New rows get higher numbers than the copied ones.
    if (target !== undefined) await upsert(target, 2, 0, OTHERS, { name: 'later' });
    const later = await target?.history.read(2, 'a-0');
    expect(later?.map(({ kind }) => kind)).toEqual(['created', 'updated']);
    expect((await target?.runs.open(RUN))?.id).toBe(2);
    await target?.directory.createTenant('third', {}, 4);
    expect((await target?.directory.findTenant({ name: 'third' }))?.id).toBe(3);
    await Promise.all([source?.close(), target?.close()]);
    await expect(copy()).rejects.toThrow('already holds tenants of its own: third. Nothing was copied.');
  });

  it('continues an interrupted copy, and copies no keys and users before it is complete', async () => {
    const args = ['copy', '--from', from.url, '--to', to.url];
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: environment({}), stdio: 'ignore' });
    const exited = once(child, 'exit');
    const count = async (store: Store) => {
      let found = 0;
      for await (const _value of store.accounts.fieldValues(1, 'licenses')) found += 1;
      return found;
    };
    const store = await openStore({ database: to.url });
    let copied = 0;
    while (copied < 1_000) copied = await count(store);
    child.kill('SIGKILL');
    await exited;
    expect(await store.directory.keys.list(1)).toEqual([]);
    expect(await store.directory.users.find({ email: EMAILS[0] })).toBeUndefined();
    expect(await store.directory.links.find('invitation')).toBeUndefined();
    expect(await count(store)).toBeLessThan(ACCOUNTS);
    await store.close();
    expect((await copy()).tables).toHaveLength(21);
  });

  it('reports a difference', async () => {
    await copy();
    const store = await openStore({ database: to.url });
    await upsert(store, 2, 0, 1, { name: 'changed' });
    await store.close();
    await expect(copy()).rejects.toThrow(/The two differ in account: 6030 rows in .*, 6030 in /);
  });

  it('fails if a server uses the database', async () => {
    const service = await Service.start(from.settings);
    await expect(copy()).rejects.toThrow(/[Ss]top (it|them) first/);
    await service.stop();
  });
});

describe('copy', () => {
  it('does not copy from a missing database', async () => {
    const to = await freshSqlite();
    expect(await run(['copy', '--from', 'sqlite:/does/not/exist', '--to', to.url], {})).toEqual({
      status: 1,
      stdout: '',
      stderr: '--from: There is no database: /does/not/exist/account-sync.db does not exist.\n',
    });
    await to.remove();
  });

  it('reports an invalid URL without repeating it', async () => {
    const { stderr } = await run(['copy', '--from', 'mysql://me:secret@host/db', '--to', 'sqlite:x'], {});
    expect(stderr).toBe(
      '--from must have the form postgres://user:password@host:5432/database (several hosts separated by commas; @ / ? # % : in a password as %40 %2F %3F %23 %25 %3A), or sqlite:directory.\n',
    );
  });
});
