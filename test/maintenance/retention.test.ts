import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountPatch } from '../../dist/domain/account.js';
import type { PruneTask } from '../../dist/store/jobs/jobs.js';
import { openStore } from '../../dist/store/open-store.js';
import { BEGINNING, type Position } from '../../dist/store/schema/position.js';
import type { Store } from '../../dist/store/store.js';
import { createTenant } from '../store/store-contract.js';
import { type Database, databases, urlForTest } from '../support/databases.js';
import { problemsIn } from '../support/verified.js';

const DAY = 86_400_000;
const NOW = 20_000 * DAY;
const ago = (days: number) => NOW - days * DAY;

describe.each(databases)('retention on %s', (_name, createDatabase) => {
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

  const send = (at: number, ...patches: AccountPatch[]) =>
    store.upsert({ tenantId, patches, requestId: 'r', senderId: 'k', at, bytes: 1 });
  const licenses = (accountId: string, value: number) => ({ accountId, fields: { licenses: value } });
  const keepFor = (historyDays: number | null) => store.directory.changeTenant(tenantId, { historyDays });
  const count = (now = NOW) => expect.poll(() => store.jobs.countChanges(tenantId, now)).toBe(true);
  const due = async (now = NOW) => {
    const tasks = await store.jobs.findOld(now, 7);
    const ofTenant = tasks.filter((task) => task.tenantId === tenantId && task.what !== 'erasures');
    return ofTenant.map(({ what }) => what);
  };

  /** Runs all steps; returns how much each has removed. */
  async function prune(what: PruneTask['what'] = 'history', now = NOW): Promise<number[]> {
    const steps: number[] = [];
    for (let task: PruneTask | undefined = { what, tenantId }; task !== undefined; ) {
      const { removed, next } = await store.jobs.prune(task, now, 7);
      steps.push(removed);
      task = next;
    }
    return steps;
  }

  const revisions = async (accountId: string) =>
    (await store.history.read(tenantId, accountId)).map(({ revision }) => revision);

  async function feed(): Promise<string[]> {
    const entries = (await store.feed.page(tenantId, BEGINNING, 10_000)).entries;
    return entries.map(({ accountId, revision, kind }) => `${accountId} ${revision} ${kind}`);
  }

  async function listed(
    direction: 'asc' | 'desc',
    since = 0,
    until?: Position,
  ): Promise<(string | undefined)[]> {
    const end = until ?? (await store.feed.end(tenantId));
    const first = direction === 'asc' ? await store.feed.before(tenantId, since) : undefined;
    const ids: string[] = [];
    const range = { until: end, direction, filters: [{ kind: 'since', at: since }], limit: 1 } as const;
    for (
      let from: Position | undefined = first ?? { commitOrder: end.commitOrder, seq: end.seq + 1 };
      from !== undefined;
    ) {
      const page = await store.recent.page(tenantId, { ...range, from });
      ids.push(...page.accounts.map(({ accountId }) => accountId));
      from = page.next;
    }
    return ids;
  }

  it('keeps every change if the tenant sets no number of days', async () => {
    for (const days of [900, 800, 700]) await send(ago(days), licenses('a', days));
    await count();
    expect(await due()).toEqual([]);
    expect(await prune()).toEqual([0]);
    expect(await revisions('a')).toEqual([1, 2, 3]);
  });

  it('removes changes that are older and not the last of their account', async () => {
    await send(ago(50), licenses('often', 1), licenses('once', 1), licenses('deleted', 1));
    await send(ago(40), licenses('often', 2), { accountId: 'deleted', fields: {}, erase: true });
    await send(ago(31), licenses('often', 3));
    await send(ago(29), licenses('often', 4));
    await send(ago(2), licenses('often', 5), licenses('new', 1));
    await count();
    await keepFor(30);
    const before = { asc: await listed('asc'), desc: await listed('desc') };
    const statistics = async () => [
      await store.statistics.accounts(tenantId),
      await store.statistics.periods(tenantId, 'day', 0, NOW),
      await store.statistics.fields(tenantId),
    ];
    const counted = await statistics();
    const account = await store.accounts.find(tenantId, 'often');
    expect(await due()).toEqual(['history']);
    expect(await prune()).toEqual([4]);

    expect(await feed()).toEqual([
      'once 1 created',
      'deleted 2 deleted',
      'often 4 updated',
      'often 5 updated',
      'new 1 created',
    ]);
    expect(await revisions('often')).toEqual([4, 5]);
    expect(await store.history.isComplete(tenantId, 'often')).toBe(false);
    expect(await store.history.isComplete(tenantId, 'once')).toBe(true);
    expect(await store.accounts.find(tenantId, 'often')).toEqual(account);
    expect({ asc: await listed('asc'), desc: await listed('desc') }).toEqual(before);
    expect(before.asc).toEqual(['once', 'often', 'new']);
    expect(await listed('asc', ago(45))).toEqual(['often', 'new']);
    await count();
    expect(await statistics()).toEqual(counted);

    // Nothing is due before the next pass, which removes only what has become old since.
    expect(await due()).toEqual([]);
    expect(await prune()).toEqual([0]);
    expect(await due(NOW + DAY)).toEqual(['history']);
    expect(await prune('history', NOW + 2 * DAY)).toEqual([1]);
    expect(await revisions('often')).toEqual([5]);
    await send(NOW + 2 * DAY, licenses('often', 6), licenses('deleted', 7));
    expect((await store.accounts.find(tenantId, 'often'))?.revision).toBe(6);
    expect((await feed()).slice(-2)).toEqual(['often 6 updated', 'deleted 3 created']);
  });

  it('starts again immediately when the number of days changes, and stops when the tenant keeps everything', async () => {
    for (const days of [60, 40, 20, 1.5]) await send(ago(days), licenses('a', days));
    await count();
    await keepFor(50);
    expect(await prune()).toEqual([1]);
    await keepFor(10);
    expect(await due()).toEqual(['history']);
    await keepFor(30);
    expect(await prune()).toEqual([1]);
    expect(await revisions('a')).toEqual([3, 4]);
    await keepFor(1);
    await keepFor(null);
    expect(await due()).toEqual([]);
    expect(await prune()).toEqual([0]);
    expect(await revisions('a')).toEqual([3, 4]);
  });

  it('continues after a clock that was ahead is set back', async () => {
    for (const days of [60, 40]) await send(ago(days), licenses('a', days));
    await count();
    await keepFor(30);
    expect(await prune('history', NOW + 365 * DAY)).toEqual([1]);
    await send(ago(35), licenses('a', 35));
    await count();
    expect(await due()).toEqual(['history']);
    expect(await prune()).toEqual([1]);
  });

  it('never removes a change that is not counted yet', async () => {
    for (const days of [60, 50, 40]) await send(ago(days), licenses('a', days));
    await keepFor(30);
    expect(await prune()).toEqual([0]);
    await count();
    await send(ago(39), licenses('a', 39));
    expect(await prune('history', NOW + DAY)).toEqual([3]);
    expect(await revisions('a')).toEqual([4]);
    await count();
    expect(await store.statistics.accounts(tenantId)).toBe(1);
  });

  it('keeps the change before the last for a day, so that a listing that has started finds the account there', async () => {
    await send(ago(50), licenses('a', 1), licenses('b', 1));
    await keepFor(30);
    const until = await store.feed.end(tenantId);
    await send(NOW - 1, licenses('a', 2));
    await count();
    expect(await prune()).toEqual([0]);
    expect(await listed('asc', 0, until)).toEqual(['a', 'b']);
    expect(await prune('history', NOW + DAY)).toEqual([1]);
    expect(await listed('asc')).toEqual(['b', 'a']);
  });

  it('keeps a change as long as the one before it, so that a history has no gaps', async () => {
    await send(ago(29), licenses('a', 1));
    // Written by a clock that was slow.
    await send(ago(31), licenses('a', 2));
    await send(ago(28), licenses('a', 3), licenses('b', 1));
    await count();
    await keepFor(30);
    expect(await prune()).toEqual([0]);
    expect(await revisions('a')).toEqual([1, 2, 3]);
    expect(await prune('history', NOW + 1.5 * DAY)).toEqual([2]);
    expect(await revisions('a')).toEqual([3]);
    expect(await listed('asc')).toEqual(['a', 'b']);
    expect(await listed('desc')).toEqual(['b', 'a']);
    const problems = async () =>
      (await problemsIn(database.url)).filter(({ tenant }) => tenant === `tenant-${tenants}`);
    expect(await problems()).toEqual([]);
    await keepFor(null);
    expect(await problems()).toEqual([]);
  });

  it('works in steps of a few hundred, and stops when another process continues the pass', async () => {
    for (let round = 0; round < 6; round += 1) {
      await send(ago(60 - round), ...Array.from({ length: 100 }, (_, i) => licenses(`a-${i}`, round)));
    }
    await count();
    await keepFor(30);
    const first = await store.jobs.prune({ what: 'history', tenantId }, NOW, 7);
    // Two sets of 100 changes: with the third it would be more than 256.
    expect(first).toEqual({ removed: 200, next: expect.anything() });
    // Another server continues the pass, so the next step of the first one does nothing.
    const second = await store.jobs.prune({ what: 'history', tenantId }, NOW, 7);
    expect(second.removed).toBe(200);
    expect(await store.jobs.prune(first.next as PruneTask, NOW, 7)).toEqual({
      removed: 0,
      next: undefined,
    });
    expect((await store.jobs.prune(second.next as PruneTask, NOW, 7)).removed).toBe(100);
    expect((await feed()).length).toBe(100);
    expect((await listed('desc')).length).toBe(100);
  });

  it('removes few changes at a time if they are large', async () => {
    const large = 'x'.repeat(1_500_000);
    for (const i of [1, 2, 3, 4]) {
      await send(ago(50 - i), { accountId: 'a', fields: { custom_Text: `${i}${large}` } });
    }
    await count();
    await keepFor(30);
    const steps = await prune();
    expect(Math.max(...steps)).toBe(1);
    expect(await revisions('a')).toEqual([4]);
  });

  it('loses no account, no last change and no count during concurrent writes', async () => {
    await keepFor(1);
    let isDone = false;
    const last = new Map<string, number>();
    const writing = [0, 1, 2].map(async (writer) => {
      for (let round = 0; round < 40; round += 1) {
        const ids = Array.from({ length: 20 }, (_, i) => `a-${writer}-${(round * 7 + i) % 50}`);
        await send(ago(100 - round), ...ids.map((id) => licenses(id, round)));
        for (const id of ids) last.set(id, round);
      }
    });
    const pruning = (async () => {
      let removed = 0;
      for (let now = NOW; !isDone; now += DAY) {
        // On SQLite, in a process that does not serve, these calls never yield to the event loop by themselves.
        await setImmediate();
        await store.jobs.countChanges(tenantId, now);
        for (const step of await prune('history', now)) removed += step;
      }
      return removed;
    })();
    await Promise.all(writing);
    isDone = true;
    const during = await pruning;
    await count();
    const rest = (await prune('history', NOW + 10_000 * DAY)).reduce((sum, removed) => sum + removed, 0);
    expect(during).toBeGreaterThan(0);
    // Every change that is not the last of its account was removed exactly once.
    expect(during + rest).toBe(3 * 40 * 20 - last.size);
    expect((await feed()).length).toBe(last.size);
    expect(new Set(await listed('desc')).size).toBe(last.size);
    for (const [id, round] of last) {
      expect((await store.accounts.find(tenantId, id))?.fields).toEqual({ licenses: round });
    }
    expect(await store.statistics.accounts(tenantId)).toBe(last.size);
    const days = await store.statistics.periods(tenantId, 'day', 0, NOW);
    const sum = (what: 'created' | 'updated') => days.reduce((total, day) => total + day[what], 0);
    expect(sum('created') + sum('updated')).toBe(3 * 40 * 20);
  });

  describe('rejections', () => {
    const reject = (...times: number[]) => {
      const rejections = times.map((at) => ({
        at,
        requestId: 'r',
        senderId: 'k',
        runId: null,
        operation: 'upsert-account',
        status: 400,
        place: null,
        accountId: null,
        errors: null,
        problem: 'No data available.',
        record: null,
      }));
      return store.jobs.recordRejections([{ tenantId, rejections, total: new Map() }], NOW);
    };
    const kept = async () => {
      const all = await store.rejections.page(tenantId, { limit: 1_000, oldest: 0 });
      return all.map(({ at }) => (NOW - at) / DAY);
    };

    it('are removed after the days that the server or the tenant sets', async () => {
      await reject(ago(20), ago(10), ago(6), ago(2));
      expect(await due()).toEqual(['rejections']);
      expect(await prune('rejections')).toEqual([2]);
      expect(await kept()).toEqual([2, 6]);
      expect(await due()).toEqual([]);
      await store.directory.changeTenant(tenantId, { rejectionDays: 3 });
      expect(await due()).toEqual(['rejections']);
      expect(await prune('rejections')).toEqual([1]);
      await store.directory.changeTenant(tenantId, { rejectionDays: 90 });
      expect(await prune('rejections', NOW + 50 * DAY)).toEqual([0]);
      await store.directory.changeTenant(tenantId, { rejectionDays: null });
      expect(await prune('rejections', NOW + 50 * DAY)).toEqual([1]);
      expect(await kept()).toEqual([]);
    });

    it('are removed in steps of a few hundred', async () => {
      await reject(...Array.from({ length: 500 }, () => ago(8)), ago(1));
      expect(await prune('rejections')).toEqual([200, 200, 100]);
      expect(await kept()).toEqual([1]);
    });
  });
});

it.each(databases)(
  'on %s a server removes old changes soon after its start, and observers learn how many',
  async (_name, createDatabase) => {
    // Not the database of the tests above: a server would remove the old changes of all their tenants first.
    const database = await urlForTest(createDatabase);
    const store = await openStore({ database });
    const tenantId = await createTenant(store, 'acme');
    const past = Date.now() - 10 * DAY;
    for (const licenses of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const patches = [{ accountId: 'a', fields: { licenses } }];
      await store.upsert({ tenantId, patches, requestId: 'r', senderId: 'k', at: past + licenses, bytes: 1 });
    }
    await expect.poll(() => store.jobs.countChanges(tenantId, NOW)).toBe(true);
    await store.directory.changeTenant(tenantId, { historyDays: 5 });
    await store.close();
    const server = await openStore({ database, serving: true });
    const pruned: unknown[] = [];
    server.observe({
      groupCommitted: () => {},
      databaseFailed: () => {},
      pruned: (what, rows) => pruned.push([what, rows]),
    });
    const revisions = async () => (await server.history.read(tenantId, 'a')).map(({ revision }) => revision);
    await expect.poll(revisions).toEqual([8]);
    await server.close();
    expect(pruned).toContainEqual(['history', 7]);
  },
);
