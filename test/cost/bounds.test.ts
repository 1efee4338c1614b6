import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountPatch } from '../../dist/domain/account.js';
import type { PageKey } from '../../dist/store/accounts/account-pages.js';
import type { HistoryPage } from '../../dist/store/changes/account-history.js';
import type { PruneTask } from '../../dist/store/jobs/jobs.js';
import { openStore } from '../../dist/store/open-store.js';
import type { ChangePointer } from '../../dist/store/schema/change-set.js';
import { BEGINNING, type Position } from '../../dist/store/schema/position.js';
import type { Store } from '../../dist/store/store.js';
import { createTenant } from '../store/store-contract.js';
import { type Database, databases } from '../support/databases.js';

const LARGE = 'x'.repeat(1_500_000);

describe.each(databases)('large and numerous data on %s', (_name, createDatabase) => {
  let database: Database;
  let store: Store;
  let tenantId: number;
  let tenants = 0;
  beforeAll(async () => {
    database = await createDatabase();
    store = await openStore({ database: database.url });
  }, 60_000);
  afterAll(async () => {
    await store.close();
    await database.remove();
  });
  beforeEach(async () => {
    tenants += 1;
    tenantId = await createTenant(store, `tenant-${tenants}`);
  });

  const upsert = (...patches: AccountPatch[]) =>
    store.upsert({ tenantId, patches, requestId: 'r', senderId: 'k', at: 1, bytes: 1 });

  it('a filter on fields reads only a bounded number of bytes per request', async () => {
    const ids = Array.from({ length: 9 }, (_, i) => `a${i}`);
    for (const accountId of ids) {
      const fields = { name: accountId, custom_Text: LARGE, custom_Tier: accountId };
      await upsert({ accountId, fields });
    }
    const tier = { kind: 'attribute', name: 'custom_Tier', value: '"a8"', isIndexed: false } as const;
    const filters = [{ kind: 'search', id: 'a', name: 'a' }, tier] as const;
    const last = await store.accounts.find(tenantId, 'a8');

    for (const order of ['id', 'name'] as const) {
      const first = await store.pages.page(tenantId, { order, filters }, 50);
      expect(first).toEqual({ accounts: [], next: expect.anything() });
      const second = await store.pages.page(tenantId, { order, filters }, 50, first.next);
      expect(second).toMatchObject({ accounts: [last] });
    }
    expect(await store.pages.count(tenantId, filters)).toEqual({ accounts: 0, isExact: false });

    const range = { until: await store.feed.end(tenantId), direction: 'asc', filters, limit: 50 } as const;
    const first = await store.recent.page(tenantId, { ...range, from: BEGINNING });
    expect(first).toEqual({ accounts: [], next: expect.anything() });
    expect(await store.recent.count(tenantId, 0, [tier])).toEqual({ accounts: 0, isExact: false });
  });

  it('large accounts come in short pages, and all of them come', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const accountId of ids) await upsert({ accountId, fields: { name: accountId, custom_Text: LARGE } });

    const listed: string[] = [];
    const filters = [{ kind: 'name', prefix: '' }] as const;
    for (let after: PageKey | undefined = []; after !== undefined; ) {
      const page = await store.pages.page(tenantId, { order: 'name', filters }, 1_000, after);
      expect(page.accounts).toHaveLength(1);
      listed.push(...page.accounts.map(({ accountId }) => accountId));
      after = page.next;
    }
    expect(listed).toEqual(ids);

    const received: string[] = [];
    for (let place = BEGINNING; ; ) {
      const [entry, ...others] = (await store.feed.page(tenantId, place, 1_000)).entries;
      expect(others).toEqual([]);
      if (entry === undefined) break;
      received.push(entry.accountId);
      place = entry.position;
    }
    expect(received).toEqual(ids);

    const recent: string[] = [];
    const until = await store.feed.end(tenantId);
    for (let from: Position | undefined = BEGINNING; from !== undefined; ) {
      const range = { from, until, direction: 'asc', filters: [], limit: 1_000 } as const;
      const page = await store.recent.page(tenantId, range);
      expect(page.accounts.length).toBeLessThanOrEqual(1);
      recent.push(...page.accounts.map(({ accountId }) => accountId));
      from = page.next;
    }
    expect(recent).toEqual(ids);

    for (const end of ['1', '2', '3']) await upsert({ accountId: 'a', fields: { custom_Text: LARGE + end } });
    const revisions: number[] = [];
    for (let from: ChangePointer | null | undefined; from !== null; ) {
      const page: HistoryPage = await store.history.page(tenantId, 'a', {
        ...(from && { from }),
        limit: 1_000,
      });
      expect(page.changes).toHaveLength(1);
      revisions.unshift(page.changes[0]?.revision ?? 0);
      from = page.next;
    }
    expect(revisions).toEqual([1, 2, 3, 4]);
    expect(await store.jobs.countChanges(tenantId, 1)).toBe(true);
    expect(await store.statistics.accounts(tenantId)).toBe(5);
  });

  it('field names that are very long or very many do not stop the statistics', async () => {
    const long = Array.from({ length: 3_000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
    await upsert({ accountId: 'a', fields: { [long]: 1, custom_A: 1 } });
    for (let i = 0; i < 6; i += 1) {
      const fields = Object.fromEntries(Array.from({ length: 900 }, (_, k) => [`f-${i}-${k}`, 1]));
      await upsert({ accountId: `b-${i}`, fields });
    }
    await store.jobs.countChanges(tenantId, 1);
    expect(await store.statistics.accounts(tenantId)).toBe(7);
    expect(await store.statistics.holders(tenantId, 'custom_A')).toBe(1);
    expect(await store.statistics.holders(tenantId, long)).toBe(0);
    // Not all 5,400 names are counted; the counts of the others stay right.
    const counted = async (i: number) => store.statistics.holders(tenantId, `f-${i}-899`);
    expect([await counted(0), await counted(5)]).toEqual([1, 0]);
    await upsert(
      { accountId: 'b-0', fields: {}, erase: true },
      { accountId: 'b-5', fields: {}, erase: true },
    );
    await store.jobs.countChanges(tenantId, 1);
    expect([await counted(0), await counted(5)]).toEqual([0, 0]);
    expect(await store.statistics.holders(tenantId, 'custom_A')).toBe(1);
  });

  it('a long history is erased in pages, with the rejections of the account under any spelling', async () => {
    const changes = Array.from({ length: 1_200 }, (_, i) => ({ accountId: 'acme', fields: { licenses: i } }));
    await upsert(...changes, { accountId: 'other', fields: { licenses: 1 } });
    const rejection = (accountId: string) => ({
      at: 1,
      requestId: 'r',
      senderId: 'k',
      runId: null,
      operation: 'upsert-account',
      status: 400,
      place: null,
      accountId,
      errors: null,
      problem: 'no',
      record: null,
    });
    const rejections = ['ACME', 'acme', 'other'].map(rejection);
    await store.jobs.recordRejections([{ tenantId, rejections, total: new Map() }], 1);
    await store.jobs.eraseTraces(tenantId, 'acme');
    await upsert({ accountId: 'acme', fields: {}, erase: true });
    const expectErased = async () => {
      const history = await store.history.read(tenantId, 'acme');
      expect(history).toHaveLength(1_201);
      expect(history.every(({ isErased }) => isErased)).toBe(true);
      expect(history[5]?.changes).toEqual({ licenses: ['[erased]', '[erased]'] });
      const feed = (await store.feed.page(tenantId, BEGINNING, 1_000)).entries;
      expect(feed.every(({ isErased }) => isErased)).toBe(true);
    };
    // The values are hidden at once, and erased by a job.
    await expectErased();
    let steps = 0;
    for (let task: PruneTask | undefined = { what: 'erasures', tenantId }; task !== undefined; steps += 1) {
      task = (await store.jobs.prune(task, 1, 7)).next;
    }
    expect(steps).toBe(6);
    await expectErased();
    expect((await store.history.read(tenantId, 'other'))[0]?.isErased).toBe(false);
    const kept = await store.rejections.page(tenantId, { before: undefined, limit: 10, oldest: 0 });
    expect(kept.map(({ accountId }) => accountId)).toEqual(['other']);
  });

  it('an index that a process left unfinished is completed by the next server', async () => {
    await upsert({ accountId: 'a', fields: { custom_Tier: 'gold' } });
    const tier = { name: 'custom_Tier', type: 'text', choices: [], readOnly: false, indexed: true } as const;
    await store.directory.attributes.set(tenantId, tier);
    const server = await openStore({ database: database.url, serving: true });
    const state = async () => (await store.directory.attributes.list(tenantId))[0]?.index;
    await expect.poll(state).toBe('ready');
    await server.close();
  });
});
