import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import type { Run } from '../../dist/store/runs/run.js';
import type { RequestCounts } from '../../dist/store/runs/runs.js';
import type { Store } from '../../dist/store/store.js';
import { type Database, databases } from '../support/databases.js';
import { dumpTables } from '../support/dump-tables.js';
import { createTenant } from './store-contract.js';

const NOON = Date.UTC(2027, 0, 31, 12);
const SILENCE = 300_000;
const DAY = 86_400_000;

describe.each(databases)('runs on %s', (_name, createDatabase) => {
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
  const start = (tenantId: number, at = NOON, source = 'crm') => ({ tenantId, source, senderId: 'k', at });
  const join = (tenantId: number, at = NOON, source = 'crm', by = store) =>
    by.runs.join(start(tenantId, at, source), SILENCE);
  const counts = (tenantId: number, runId: number, given: Partial<RequestCounts> = {}): RequestCounts => ({
    tenantId,
    runId,
    lastAt: NOON,
    requests: 0,
    failedRequests: 0,
    unchanged: 0,
    skipped: 0,
    kept: 0,
    rejected: 0,
    ...given,
  });
  const run = (id: number, given: Partial<Run> = {}): Run => ({
    id,
    source: 'crm',
    kind: 'implicit',
    mode: 'upsert',
    state: 'open',
    senderId: 'k',
    startedAt: NOON,
    lastAt: NOON,
    endedAt: null,
    requests: 0,
    failedRequests: 0,
    created: 0,
    updated: 0,
    archived: 0,
    restored: 0,
    unchanged: 0,
    skipped: 0,
    kept: 0,
    rejected: 0,
    fields: {},
    undo: null,
    missing: null,
    ...given,
  });
  const all = (tenantId: number) => store.runs.page(tenantId, { limit: 1_000 });
  const lastFinished = async (tenantId: number) =>
    (await store.directory.sources.find(tenantId, 'crm'))?.lastFinishedAt;

  it('are joined by many callers at the same time, one for each source and tenant', async () => {
    const [acme, other] = [await freshTenant(), await freshTenant()];
    const joined = await Promise.all(
      Array.from({ length: 90 }, (_, i) =>
        [() => join(acme), () => join(acme, NOON, 'erp'), () => join(other)][i % 3]?.(),
      ),
    );
    const ids = [0, 1, 2].map((kind) => new Set(joined.filter((_, i) => i % 3 === kind)));
    expect(ids.map(({ size }) => size)).toEqual([1, 1, 1]);
    expect(new Set(joined).size).toBe(3);
    const [crm, erp, theirs] = ids.map((set) => [...set][0] as number);
    const found = await all(acme);
    expect(found.sort((a, b) => (a.source < b.source ? -1 : 1))).toEqual([
      run(crm as number),
      run(erp as number, { source: 'erp' }),
    ]);
    expect(await all(other)).toEqual([run(theirs as number)]);
  });

  it('are joined by two processes at the same time, also after the silence', async () => {
    const second = await openStore({ database: database.url });
    const both = (tenantId: number, at: number) =>
      Promise.all(
        Array.from({ length: 20 }, (_, i) => join(tenantId, at, 'crm', i % 2 === 0 ? store : second)),
      );
    const acme = await freshTenant();
    const first = new Set(await both(acme, NOON));
    const next = new Set(await both(acme, NOON + SILENCE + 1));
    await second.close();
    expect([first.size, next.size]).toEqual([1, 1]);
    const [[old], [young]] = [[...first], [...next]] as [number[], number[]];
    const later = NOON + SILENCE + 1;
    expect(await all(acme)).toEqual([
      run(young as number, { startedAt: later, lastAt: later }),
      run(old as number, { state: 'finished', endedAt: NOON }),
    ]);
  });

  it('are counted by one process while another ends them', async () => {
    const second = await openStore({ database: database.url });
    const acme = await freshTenant();
    await store.directory.sources.set(acme, 'crm', {});
    const id = await join(acme);
    for (let round = 1; round <= 100; round += 1) {
      const at = NOON + round;
      const { id: explicit } = await store.runs.open(start(acme));
      const [, ended] = await Promise.all([
        store.jobs.recordRuns([id, explicit].map((one) => counts(acme, one, { lastAt: at, requests: 1 }))),
        second.runs.end(acme, explicit, 'finished', at),
      ]);
      expect(ended?.state).toBe('finished');
    }
    await second.close();
    expect(await store.runs.find(acme, id)).toMatchObject({ requests: 100, state: 'open' });
  });

  it('are joined until the silence is longer than allowed, since the last request', async () => {
    const acme = await freshTenant();
    const id = await join(acme);
    expect(await join(acme, NOON + SILENCE)).toBe(id);
    await store.jobs.recordRuns([counts(acme, id, { lastAt: NOON + 1_000, requests: 1 })]);
    expect(await join(acme, NOON + SILENCE + 1_000)).toBe(id);
    expect(await join(acme, NOON + SILENCE + 1_001)).not.toBe(id);
    expect(await store.runs.find(acme, id)).toEqual(
      run(id, { state: 'finished', requests: 1, lastAt: NOON + 1_000, endedAt: NOON + 1_000 }),
    );
    // A clock that was set back does not end a run.
    const [{ id: current } = { id: 0 }] = await all(acme);
    expect(await join(acme, NOON - DAY)).toBe(current);
  });

  it('that were opened are never joined', async () => {
    const acme = await freshTenant();
    const opened = await store.runs.open(start(acme));
    expect(opened).toEqual(run(opened.id, { kind: 'explicit' }));
    const id = await join(acme);
    expect(id).not.toBe(opened.id);
    const another = await store.runs.open(start(acme));
    expect(new Set([opened.id, id, another.id]).size).toBe(3);
  });

  it('end once', async () => {
    const acme = await freshTenant();
    await store.directory.sources.set(acme, 'crm', {});
    const { id } = await store.runs.open(start(acme));
    const ends = await Promise.all(
      Array.from({ length: 10 }, (_, i) => store.runs.end(acme, id, 'finished', NOON + 10 + i)),
    );
    const [ended, ...others] = ends.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    expect(ended).toEqual(run(id, { kind: 'explicit', state: 'finished', endedAt: ended?.endedAt ?? 0 }));
    expect(await lastFinished(acme)).toBe(ended?.endedAt);
    expect(await store.runs.end(acme, id, 'abandoned', NOON + 99)).toBeUndefined();
    expect(await store.runs.end(await freshTenant(), id, 'finished', NOON)).toBeUndefined();
    expect(await store.runs.find(acme, id)).toEqual(ended);
  });

  it('that finish late do not set back the time of the last one', async () => {
    const acme = await freshTenant();
    await store.directory.sources.set(acme, 'crm', {});
    const [one, two] = [await store.runs.open(start(acme)), await store.runs.open(start(acme))];
    await store.runs.end(acme, one.id, 'finished', NOON + 20);
    await store.runs.end(acme, two.id, 'finished', NOON + 10);
    expect(await lastFinished(acme)).toBe(NOON + 20);
  });

  it('end by silence, implicit ones as finished, and others after a day as abandoned', async () => {
    const [acme, other] = [await freshTenant(), await freshTenant()];
    for (const tenant of [acme, other]) await store.directory.sources.set(tenant, 'crm', {});
    const { id: explicit } = await store.runs.open(start(acme));
    const id = await join(acme);
    const recent = await join(other, NOON + 1);
    await store.jobs.endSilentRuns(NOON + SILENCE, SILENCE);
    expect(await store.runs.find(acme, id)).toMatchObject({ state: 'open' });
    await store.jobs.endSilentRuns(NOON + SILENCE + 1, SILENCE);
    expect(await store.runs.find(acme, id)).toEqual(run(id, { state: 'finished', endedAt: NOON }));
    expect(await store.runs.find(other, recent)).toMatchObject({ state: 'open' });
    expect([await lastFinished(acme), await lastFinished(other)]).toEqual([NOON, null]);
    await store.jobs.endSilentRuns(NOON + DAY, SILENCE);
    expect(await store.runs.find(other, recent)).toMatchObject({ state: 'finished', endedAt: NOON + 1 });
    expect(await store.runs.find(acme, explicit)).toMatchObject({ state: 'open' });
    await store.jobs.endSilentRuns(NOON + DAY + 1, SILENCE);
    expect(await store.runs.find(acme, explicit)).toEqual(
      run(explicit, { kind: 'explicit', state: 'abandoned', endedAt: NOON }),
    );
    expect(await lastFinished(acme)).toBe(NOON);
  });

  it('that are implicit end after a day, even without silence', async () => {
    const acme = await freshTenant();
    const id = await join(acme);
    const { id: explicit } = await store.runs.open(start(acme));
    const lastAt = NOON + DAY - 5;
    await store.jobs.recordRuns([counts(acme, id, { lastAt }), counts(acme, explicit, { lastAt })]);
    await store.jobs.endSilentRuns(NOON + DAY, SILENCE);
    expect(await store.runs.find(acme, id)).toMatchObject({ state: 'open' });
    await store.jobs.endSilentRuns(NOON + DAY + 1, SILENCE);
    expect(await store.runs.find(acme, id)).toEqual(run(id, { state: 'finished', lastAt, endedAt: lastAt }));
    expect(await store.runs.find(acme, explicit)).toMatchObject({ state: 'open' });
  });

  it('add up what their requests did, also concurrently and after their end', async () => {
    const [acme, other] = [await freshTenant(), await freshTenant()];
    const [one, two, ended] = await Promise.all([1, 2, 3].map(() => store.runs.open(start(acme))));
    if (!one || !two || !ended) throw new Error('not opened');
    await store.runs.end(acme, ended.id, 'finished', NOON + 5);
    const added = { requests: 3, failedRequests: 1, unchanged: 7, rejected: 2 };
    const isOpen = await Promise.all(
      Array.from({ length: 10 }, (_, i) => {
        const both = [
          counts(acme, one.id, { ...added, lastAt: NOON + i }),
          counts(acme, two.id, { requests: 1 }),
        ];
        return store.jobs.recordRuns(i % 2 === 0 ? both : both.reverse());
      }),
    );
    expect(isOpen).toEqual(Array(10).fill([]));
    const sum = { requests: 30, failedRequests: 10, unchanged: 70, rejected: 20 };
    const explicit = { kind: 'explicit' } as const;
    expect(await store.runs.find(acme, one.id)).toEqual(
      run(one.id, { ...explicit, ...sum, lastAt: NOON + 9 }),
    );
    expect(await store.runs.find(acme, two.id)).toEqual(run(two.id, { ...explicit, requests: 10 }));
    // Ended and unknown ones are reported, so that the caller does not use them any more.
    const late = [
      counts(acme, ended.id, { requests: 2, lastAt: NOON + 9 }),
      counts(acme, one.id),
      counts(other, two.id, { requests: 99 }),
    ];
    expect((await store.jobs.recordRuns(late)).sort()).toEqual([two.id, ended.id].sort());
    expect(await store.runs.find(acme, ended.id)).toEqual(
      run(ended.id, { ...explicit, state: 'finished', endedAt: NOON + 5, requests: 2, lastAt: NOON + 9 }),
    );
    expect(await store.runs.find(acme, two.id)).toMatchObject({ requests: 10 });
    expect(await store.jobs.recordRuns([])).toEqual([]);
  });

  it('count created and updated accounts and fields once, by several processes and after their end', async () => {
    const acme = await freshTenant();
    const { id } = await store.runs.open(start(acme));
    const upsert = (accountId: string, fields: Record<string, number>, runId: number | undefined = id) =>
      store.upsert({
        tenantId: acme,
        patches: [{ accountId, fields }],
        requestId: 'r',
        senderId: 'k',
        runId,
        at: NOON,
        bytes: 1,
      });
    await upsert('a', { custom_X: 1, custom_Y: 1 });
    await upsert('a', { custom_X: 2, custom_Y: 1 });
    await upsert('b', {});
    await store.upsert({
      tenantId: acme,
      patches: [{ accountId: 'c', fields: { custom_Z: 1 } }],
      requestId: 'r',
      senderId: 'k',
      at: NOON,
      bytes: 1,
    });
    const second = await openStore({ database: database.url });
    const count = () => Promise.all([store, second].map((one) => one.jobs.countChanges(acme, NOON)));
    await expect.poll(async () => (await count()).every((isComplete) => isComplete)).toBe(true);
    const counted = {
      kind: 'explicit',
      created: 2,
      updated: 1,
      fields: { custom_X: 2, custom_Y: 1 },
    } as const;
    expect(await store.runs.find(acme, id)).toEqual(run(id, counted));
    await upsert('a', { custom_Y: 2 });
    await store.runs.end(acme, id, 'finished', NOON);
    await expect.poll(async () => (await count()).every((isComplete) => isComplete)).toBe(true);
    await second.close();
    const fields = { custom_X: 2, custom_Y: 2 };
    expect(await store.runs.find(acme, id)).toEqual(
      run(id, { ...counted, updated: 2, fields, state: 'finished', endedAt: NOON }),
    );
  });

  it('count at most 500 fields, the first ones', async () => {
    const acme = await freshTenant();
    const { id: runId } = await store.runs.open(start(acme));
    const send = (from: number, to: number) => {
      const names = Array.from({ length: to - from }, (_, i) => [`custom_${from + i}`, 1]);
      const patches = [{ accountId: `a-${from}`, fields: Object.fromEntries(names) }];
      return store.upsert({
        tenantId: acme,
        patches,
        requestId: 'r',
        senderId: 'k',
        runId,
        at: NOON,
        bytes: 1,
      });
    };
    const count = () => expect.poll(() => store.jobs.countChanges(acme, NOON)).toBe(true);
    await send(0, 450);
    await count();
    await send(400, 600);
    await count();
    const { fields = {}, created } = (await store.runs.find(acme, runId)) ?? {};
    expect([Object.keys(fields).length, created, fields.custom_420, fields.custom_0]).toEqual([500, 2, 2, 1]);
  });

  it('are read in pages, newest first, those of one tenant only', async () => {
    const [acme, other] = [await freshTenant(), await freshTenant()];
    await store.runs.open(start(other));
    const opened: Run[] = [];
    for (let i = 0; i < 7; i += 1) {
      const source = i % 2 === 0 ? 'crm' : 'erp';
      opened.unshift(await store.runs.open(start(acme, NOON + Math.floor(i / 3), source)));
    }
    await store.runs.end(acme, opened[3]?.id ?? 0, 'finished', NOON);
    const expected = await all(acme);
    expect(expected.map(({ id }) => id)).toEqual(opened.map(({ id }) => id));
    for (const limit of [1, 2, 3, 7, 8]) {
      const found: Run[] = [];
      for (;;) {
        const last = found.at(-1);
        const after = last && { startedAt: last.startedAt, id: last.id };
        const page = await store.runs.page(acme, { after, limit });
        found.push(...page);
        if (page.length < limit) break;
      }
      expect(found).toEqual(expected);
    }
    const ids = async (filter: object) =>
      (await store.runs.page(acme, { limit: 10, ...filter })).map(({ id }) =>
        opened.findIndex((one) => one.id === id),
      );
    expect(await ids({ source: 'erp' })).toEqual([1, 3, 5]);
    expect(await ids({ state: 'finished' })).toEqual([3]);
    expect(await ids({ state: 'open', source: 'erp' })).toEqual([1, 5]);
    expect(await ids({ since: NOON + 1 })).toEqual([0, 1, 2, 3]);
    expect(await ids({ since: NOON + 1, until: NOON + 2 })).toEqual([1, 2, 3]);
    expect(await ids({ until: NOON + 1 })).toEqual([4, 5, 6]);
    expect(await store.runs.find(other, opened[0]?.id ?? 0)).toBeUndefined();
  });

  it('are removed with their tenant, which gets no other', async () => {
    const [acme, other] = [await freshTenant(), await freshTenant()];
    await store.directory.sources.set(acme, 'crm', { expectEveryMs: 60_000 });
    const [id, kept] = [await join(acme), await join(other)];
    await store.runs.open(start(acme));
    const removed = await store.directory.removeTenant(acme, () => {});
    expect([removed.run, removed.source]).toEqual([2, 1]);
    expect(await all(acme)).toEqual([]);
    expect(await store.directory.sources.expected()).toEqual([]);
    expect(await all(other)).toEqual([run(kept)]);
    const before = await dumpTables(database.url);
    expect(await store.jobs.recordRuns([counts(acme, id, { requests: 1 })])).toEqual([id]);
    const missing = `There is no tenant ${acme}.`;
    await expect(join(acme)).rejects.toThrow(missing);
    await expect(store.runs.open(start(acme))).rejects.toThrow(missing);
    expect(await dumpTables(database.url)).toEqual(before);
  });
});
