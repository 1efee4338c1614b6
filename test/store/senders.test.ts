import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCopyEndpoint } from '../../dist/store/maintenance/open-copy-endpoint.js';
import { openStore } from '../../dist/store/open-store.js';
import { findSenders, findUsers } from '../../dist/store/runs/senders.js';
import { BEGINNING } from '../../dist/store/schema/position.js';
import type { Store } from '../../dist/store/store.js';
import { type Database, databases } from '../support/databases.js';
import { joinTenant } from '../support/join-tenant.js';
import { queriesOf } from './queries-of.js';
import { createTenant } from './store-contract.js';

const NOON = Date.UTC(2027, 0, 31, 12);

describe.each(databases)('the users who sent something on %s', (_name, createDatabase) => {
  let database: Database;
  let store: Store;
  beforeAll(async () => {
    database = await createDatabase();
    store = await openStore({ database: database.url });
  }, 60_000);
  afterAll(async () => {
    await store.close();
    await database.remove();
  });

  let tenants = 0;
  const freshTenant = () => {
    tenants += 1;
    return createTenant(store, `tenant-${tenants}`);
  };
  let users = 0;
  const addUser = (tenantId: number, given: { readonly name?: string; readonly email?: string } = {}) => {
    users += 1;
    return joinTenant(store, tenantId, { name: 'Kim', email: `u${users}@example.com`, ...given });
  };
  const upsert = (tenantId: number, accountId: string, senderId: string, runId?: number) =>
    store.upsert({
      tenantId,
      patches: [{ accountId, fields: {} }],
      requestId: 'r',
      senderId,
      runId,
      at: NOON,
      bytes: 1,
    });
  const reject = (tenantId: number, senderId: string, runId: number | null = null) => {
    const what = { operation: 'upsert-account', status: 400, place: null, accountId: null, errors: null };
    const rejection = { at: NOON, requestId: 'r', senderId, runId, ...what, problem: 'p', record: null };
    return store.rejections.record([{ tenantId, rejections: [rejection], total: new Map() }], NOON);
  };
  const rejections = (tenantId: number, by: object = {}) =>
    store.rejections.page(tenantId, { limit: 10, oldest: 0, ...by });
  const feed = async (tenantId: number) => (await store.feed.page(tenantId, BEGINNING, 10)).entries;
  const senders = (all: readonly { senderId: string | null; source: string | null; user: unknown }[]) =>
    all.map(({ senderId, source, user }) => [senderId, source, user]);

  it('are named in histories, the feed, rejections, the audit and runs, and keys are not', async () => {
    const acme = await freshTenant();
    const { id } = await addUser(acme, { name: 'Kim' });
    const kim = { id, name: 'Kim' };
    const run = await store.runs.open({ tenantId: acme, source: 'crm', senderId: id, at: NOON });
    await upsert(acme, 'a', id, run.id);
    await upsert(acme, 'b', id);
    await upsert(acme, 'c', 'k');
    await reject(acme, id);
    await reject(acme, 'k');
    await store.directory.changeTenant(acme, { historyDays: 3 }, { at: NOON, senderId: id, requestId: 'r' });

    expect(senders(await store.history.read(acme, 'a'))).toEqual([[id, 'crm', kim]]);
    expect(senders(await store.history.read(acme, 'b'))).toEqual([[id, 'console', kim]]);
    expect(senders(await store.history.read(acme, 'c'))).toEqual([['k', null, null]]);
    const sent = [
      [id, 'crm', kim],
      [id, 'console', kim],
      ['k', null, null],
    ];
    expect(senders(await feed(acme))).toEqual(sent);
    expect(senders((await store.feed.sets(acme, BEGINNING, 10)).sets)).toEqual(sent);
    expect(senders(await rejections(acme))).toEqual([
      ['k', null, null],
      [id, 'console', kim],
    ]);
    const [changed, joined, invited] = await store.directory.audit(acme, undefined, 3);
    expect([changed, joined, invited].map((entry) => [entry?.action, entry?.user, entry?.source])).toEqual([
      ['settings.change', kim, 'console'],
      ['user.join', kim, 'console'],
      ['user.invite', null, null],
    ]);
    const other = await store.runs.open({ tenantId: acme, source: 'crm', senderId: 'k', at: NOON });
    expect(await store.runs.withUsers(acme, [run, other])).toEqual([
      { ...run, user: kim },
      { ...other, user: null },
    ]);
    expect(await store.runs.withUser(acme, run)).toEqual({ ...run, user: kim });
  });

  it('keep their names when they are disabled or removed, and have their present ones', async () => {
    const acme = await freshTenant();
    const [disabled, removed, renamed] = [
      await addUser(acme, { name: 'Disabled' }),
      await addUser(acme, { name: 'Removed' }),
      await addUser(acme, { name: 'Before' }),
    ];
    await upsert(acme, 'a', disabled.id);
    await upsert(acme, 'b', removed.id);
    await upsert(acme, 'c', renamed.id);
    const by = { at: NOON, senderId: null, requestId: null };
    const { users } = store.directory;
    expect(await users.change(acme, disabled.id, { isDisabled: true }, by)).toBe(true);
    expect(await users.remove(acme, removed.id, by)).toBe(true);
    await users.rename(renamed.id, 'After', by);
    expect((await feed(acme)).map(({ user }) => user)).toEqual([
      { id: disabled.id, name: 'Disabled' },
      { id: removed.id, name: 'Removed' },
      { id: renamed.id, name: 'After' },
    ]);
  });

  it('have no name in a tenant to which they never belonged', async () => {
    const [acme, other] = [await freshTenant(), await freshTenant()];
    const theirs = await addUser(other, { name: 'Theirs' });
    const both = await addUser(other, { name: 'Both' });
    await addUser(acme, { email: both.email });
    await upsert(acme, 'a', theirs.id);
    await upsert(acme, 'b', both.id);
    await upsert(acme, 'c', 'usr_00000000');
    const [change] = await store.history.read(acme, 'a');
    expect(change?.user).toEqual({ id: theirs.id, name: null });
    expect((await feed(acme)).map((entry) => entry.user)).toEqual([
      { id: theirs.id, name: null },
      { id: both.id, name: 'Both' },
      { id: 'usr_00000000', name: null },
    ]);
  });

  it('select changes and rejections, as their source does', async () => {
    const [acme, other] = [await freshTenant(), await freshTenant()];
    const [kim, alex] = [await addUser(acme), await addUser(acme, { name: 'Alex' })];
    await upsert(other, 'theirs', kim.id);
    const run = await store.runs.open({ tenantId: acme, source: 'crm', senderId: 'k', at: NOON });
    await upsert(acme, 'by-kim', kim.id);
    await upsert(acme, 'by-alex', alex.id);
    await upsert(acme, 'in-a-run', kim.id, run.id);
    await upsert(acme, 'by-key', 'k');
    for (const sender of [kim.id, alex.id, 'k']) await reject(acme, sender);
    const found = async (by: object) => {
      const { entries } = await store.feed.search(acme, BEGINNING, 10, by);
      const of = (await rejections(acme, by)).map(({ senderId }) => senderId).reverse();
      return [entries.map(({ accountId }) => accountId), of];
    };
    expect(await found({ userId: kim.id })).toEqual([['by-kim', 'in-a-run'], [kim.id]]);
    expect(await found({ userId: kim.id, source: 'crm' })).toEqual([['in-a-run'], []]);
    expect(await found({ keyId: 'k' })).toEqual([['by-key'], ['k']]);
    expect(await found({ source: 'console' })).toEqual([
      ['by-kim', 'by-alex'],
      [kim.id, alex.id],
    ]);
    // A key is no user, and a user is no key.
    for (const none of [
      { keyId: kim.id },
      { userId: 'k' },
      { keyId: 'k', userId: kim.id },
      { userId: 'usr_00000000' },
    ])
      expect(await found(none)).toEqual([[], []]);
  });

  it('have pushed what they created without a run, as their source', async () => {
    const acme = await freshTenant();
    const kim = await addUser(acme);
    await upsert(acme, 'by-kim', kim.id);
    await upsert(acme, 'by-key', 'k');
    await store.directory.sources.set(acme, 'console', { isTracked: true });
    expect(await store.jobs.seedPushed(acme, 'console', '')).toBeUndefined();
    const run = await store.runs.open({ tenantId: acme, source: 'console', senderId: kim.id, at: NOON });
    const range = { tenantId: acme, source: 'console', runId: run.id, after: '' };
    expect(await store.jobs.pushedPage(range)).toEqual({
      live: 1,
      missing: [{ accountId: 'by-kim', name: null, revision: 1 }],
      last: undefined,
    });
  });

  it('cost one query a page, and none without users', async () => {
    const acme = await freshTenant();
    const kim = await addUser(acme);
    const end = await openCopyEndpoint(database.url, { mustExist: true });
    const count = async (keyIds: readonly string[]) =>
      (await queriesOf(end.db, (counted) => findUsers(counted, acme, keyIds))).length;
    const all = (keyIds: readonly string[]) => keyIds.map((senderId) => ({ senderId, runId: null }));
    const ofSenders = async (keyIds: readonly string[]) =>
      (await queriesOf(end.db, (counted) => findSenders(counted, acme, all(keyIds)))).length;
    expect([await count([]), await count(['k', 'l']), await count([kim.id, 'k', kim.id, 'usr_0'])]).toEqual([
      0, 0, 1,
    ]);
    // Another one reads the sources of keys.
    expect([await ofSenders(['k']), await ofSenders([kim.id]), await ofSenders(['k', kim.id])]).toEqual([
      1, 1, 2,
    ]);
    await end.close();
  });
});
