import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountPatch } from '../../dist/domain/account.js';
import { POSTGRES, SQLITE } from '../../dist/store/dialect.js';
import { HistoryErasure } from '../../dist/store/jobs/history-erasure.js';
import type { PruneTask } from '../../dist/store/jobs/jobs.js';
import { openCopyEndpoint } from '../../dist/store/maintenance/open-copy-endpoint.js';
import { openStore } from '../../dist/store/open-store.js';
import { BEGINNING } from '../../dist/store/schema/position.js';
import { openConnection } from '../../dist/store/sqlite/connection.js';
import type { Store } from '../../dist/store/store.js';
import { createTenant } from '../store/store-contract.js';
import { type Database, databases, freshSqlite } from '../support/databases.js';
import { problemsIn } from '../support/verified.js';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const ids = Array.from({ length: 300 }, (_, i) => `a-${i}`);

describe.each(databases)('the history of deleted accounts on %s', (name, createDatabase) => {
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

  const write = (tenantId: number, ...patches: AccountPatch[]) =>
    store.upsert({ tenantId, patches, requestId: 'r', senderId: 'k', at: NOW, bytes: 1 });
  const erase = (accountId: string): AccountPatch => ({ accountId, fields: {}, erase: true });
  const run = async (tenantId: number, now = NOW) => {
    let steps = 0;
    for (let task: PruneTask | undefined = { what: 'erasures', tenantId }; task !== undefined; steps += 1) {
      task = (await store.jobs.prune(task, now, 7)).next;
    }
    return steps;
  };
  const due = async (tenantId: number, now: number) =>
    (await store.jobs.findOld(now, 7)).some((task) => task.tenantId === tenantId);

  it('is erased with one rewrite of each set, however many of its accounts were deleted', async () => {
    const tenantId = await createTenant(store, 'shared');
    for (let night = 0; night < 5; night += 1) {
      await write(
        tenantId,
        ...ids.map((id) => ({ accountId: id, fields: { custom_Secret: `s ${night} ${id}` } })),
      );
    }
    // One request each, as if they were deleted one by one; the last of them stays.
    for (const id of ids.slice(0, -1)) await write(tenantId, erase(id));
    const values = async () => JSON.stringify((await store.feed.page(tenantId, BEGINNING, 1_000)).entries);
    expect(await values()).not.toMatch(/s \d a-[0-9]+(?<!a-299)"/);
    // Five nights of two sets, and one step to see that nothing is left.
    expect(await run(tenantId)).toBe(5 * 2 + 1);
    expect(await values()).not.toMatch(/s \d a-[0-9]+(?<!a-299)"/);
    const [kept, gone] = [
      await store.history.read(tenantId, 'a-299'),
      await store.history.read(tenantId, 'a-7'),
    ];
    expect(kept.map(({ changes }) => changes.custom_Secret?.[1])).toEqual(
      [0, 1, 2, 3, 4].map((night) => `s ${night} a-299`),
    );
    expect(gone.map(({ kind, isErased, changes }) => [kind, isErased, changes])).toEqual([
      ['created', true, { custom_Secret: [null, '[erased]'] }],
      ...[1, 2, 3, 4].map(() => ['updated', true, { custom_Secret: ['[erased]', '[erased]'] }]),
      ['deleted', true, { custom_Secret: ['[erased]', null] }],
    ]);
    expect(await problemsIn(database.url)).toEqual([]);
    // Rows of finished erasures stay for a while, and are removed then.
    expect([await due(tenantId, NOW + MINUTE), await due(tenantId, NOW + 11 * MINUTE)]).toEqual([
      false,
      true,
    ]);
    await run(tenantId, NOW + 11 * MINUTE);
    expect(await due(tenantId, NOW + 20 * MINUTE)).toBe(false);
  });

  it('of an account that was created and deleted again is erased, and what follows is not', async () => {
    const tenantId = await createTenant(store, 'again');
    const named = (value: string) => ({ accountId: 'a', fields: { name: value } });
    await write(tenantId, named('one'), named('two'), erase('a'), named('three'));
    await write(tenantId, erase('a'));
    await write(tenantId, named('four'));
    const expected = [true, true, true, true, true, false];
    const erased = async () => (await store.history.read(tenantId, 'a')).map(({ isErased }) => isErased);
    expect(await erased()).toEqual(expected);
    await run(tenantId);
    expect(await erased()).toEqual(expected);
    expect((await store.accounts.find(tenantId, 'a'))?.fields).toEqual({ name: 'four' });
    expect(await problemsIn(database.url)).toEqual([]);
  });

  it.runIf(name === 'PostgreSQL')('is erased by two processes at once, each set once', async () => {
    const tenantId = await createTenant(store, 'two');
    for (let night = 0; night < 4; night += 1) {
      await write(tenantId, ...ids.map((id) => ({ accountId: id, fields: { licenses: night } })));
    }
    await write(tenantId, ...ids.map(erase));
    const other = await openStore({ database: database.url });
    const both = [store, other].map(async ({ jobs }) => {
      for (let task: PruneTask | undefined = { what: 'erasures', tenantId }; task !== undefined; ) {
        task = (await jobs.prune(task, NOW, 7)).next;
      }
    });
    await Promise.all(both);
    await other.close();
    for (const id of ['a-0', 'a-299']) {
      expect((await store.history.read(tenantId, id)).every(({ isErased }) => isErased)).toBe(true);
    }
    expect(await problemsIn(database.url)).toEqual([]);
  });

  it('is erased up to where retention has removed it', async () => {
    const tenantId = await createTenant(store, 'removed');
    for (const value of [1, 2, 3]) await write(tenantId, { accountId: 'a', fields: { licenses: value } });
    await write(tenantId, erase('a'));
    const end = await openCopyEndpoint(database.url, { mustExist: true });
    const sets = await end.db
      .selectFrom('change_set')
      .select('seq')
      .where('tenant_id', '=', tenantId)
      .orderBy('seq')
      .execute();
    await sql`delete from change_set where tenant_id = ${tenantId} and seq = ${sets[1]?.seq}`.execute(end.db);
    const erasure = new HistoryErasure(end.db, name === 'SQLite' ? SQLITE : POSTGRES);
    const steps = [];
    for (let isDone = false; !isDone; steps.push(isDone)) isDone = await erasure.step(tenantId, NOW);
    await end.close();
    expect(steps).toEqual([false, false, true]);
    expect(
      (await store.history.read(tenantId, 'a')).map(({ revision, isErased }) => [revision, isErased]),
    ).toEqual([
      [3, true],
      [4, true],
    ]);
  });
});

it('a server erases values soon after a deletion, and they are gone from the file', async () => {
  const database = await freshSqlite();
  const server = await openStore({ database: database.url, serving: true });
  const tenantId = await createTenant(server, 'acme');
  const request = { tenantId, requestId: 'r', senderId: 'k', bytes: 1 };
  const send = (...patches: AccountPatch[]) => server.upsert({ ...request, patches, at: Date.now() });
  const secret = 'a-value-to-erase';
  await send(
    { accountId: 'a', fields: { custom_A: secret } },
    { accountId: 'b', fields: { custom_A: 'kept' } },
  );
  await send({ accountId: 'a', fields: { custom_A: `${secret}-2` } });
  await send({ accountId: 'a', fields: {}, erase: true });
  await expect.poll(() => server.jobs.findOld(Date.now(), 7)).toEqual([]);
  await server.close();
  const path = join(String(database.settings.ACCOUNT_SYNC_DATA_DIR), 'account-sync.db');
  const db = openConnection(path);
  db.exec('pragma wal_checkpoint(truncate)');
  db.close();
  const file = readFileSync(path, 'latin1');
  expect(file.includes('kept')).toBe(true);
  expect(file.includes(secret)).toBe(false);
  await database.remove();
});
