import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { ERASED } from '../../dist/domain/account.js';
import { openStore } from '../../dist/store/open-store.js';
import { statements } from '../../dist/store/postgres/statements.js';
import { type WritePart, writeStatement } from '../../dist/store/postgres/write-statement.js';
import { decodeLine, linesOf } from '../../dist/store/schema/change-set.js';
import type { Store } from '../../dist/store/store.js';
import { freshPostgres, urlForTest } from '../support/databases.js';
import { queryOnce } from '../support/postgres/postgres-server.js';
import { createTenant } from './store-contract.js';

const upsert = (store: Store, tenantId: number, accounts: Record<string, number>) =>
  store.upsert({
    tenantId,
    patches: Object.entries(accounts).map(([accountId, licenses]) => ({ accountId, fields: { licenses } })),
    requestId: 'r',
    senderId: 'k',
    at: 1,
    bytes: 1,
  });

describe('two processes on one PostgreSQL', () => {
  it('do not mix two batches that each change what the other leaves unchanged', async () => {
    const database = await urlForTest(freshPostgres);
    const [p, q] = (await Promise.all([openStore({ database }), openStore({ database })])) as [Store, Store];
    const tenantId = await createTenant(p, 'acme');
    for (let round = 0; round < 60; round += 1) {
      await upsert(p, tenantId, { a: 1, u: 1 });
      await Promise.all([upsert(p, tenantId, { u: 1, a: 2 }), upsert(q, tenantId, { a: 1, u: 2 })]);
      const [a, u] = await Promise.all(['a', 'u'].map((id) => p.accounts.find(tenantId, id)));
      // The batch that commits last determines both accounts.
      expect([
        [1, 2],
        [2, 1],
      ]).toContainEqual([a?.fields.licenses, u?.fields.licenses]);
    }
    await Promise.all([p.close(), q.close()]);
  });

  it('erase a history once, even if both delete its account at the same time', async () => {
    const database = await urlForTest(freshPostgres);
    const [p, q] = (await Promise.all([openStore({ database }), openStore({ database })])) as [Store, Store];
    const tenantId = await createTenant(p, 'acme');
    for (const licenses of [1, 2]) await upsert(p, tenantId, { a: licenses });
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    const deletion = { accountId: 'a', fields: {}, erase: true } as const;
    await Promise.all(
      [p, q].map((store) =>
        store.upsert({ tenantId, patches: [deletion], requestId: 'r', senderId: 'k', at: 1, bytes: 1 }),
      ),
    );
    await client.query('begin; select 1 from change_set for update');
    const erasures = { what: 'erasures', tenantId } as const;
    const erase = (store: Store) => store.jobs.prune(erasures, 1, 1);
    const erased = Promise.all([p, q].map(erase));
    const waiting = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(() => queryOnce(database, waiting)).toHaveLength(2);
    await client.query('commit');
    await Promise.all([erased, client.end()]);
    while ((await erase(p)).next !== undefined);
    const sets = await queryOnce(database, 'select entries from change_set order by turn, seq');
    const changes = sets.flatMap(({ entries }) => Array.from(linesOf(0, entries as Buffer), decodeLine));
    expect(changes).toMatchObject([
      { kind: 'created', revision: 1, isErased: true, changes: { licenses: [null, ERASED] } },
      { kind: 'updated', revision: 2, isErased: true, changes: { licenses: [ERASED, ERASED] } },
      { kind: 'deleted', revision: 3, isErased: true, changes: { licenses: [ERASED, null] } },
    ]);
    expect(await queryOnce(database, 'select next_seq, erased_at from erasure')).toEqual([
      { next_seq: null, erased_at: '1' },
    ]);
    await Promise.all([p.close(), q.close()]);
  });
});

describe('the statements of the account write', () => {
  const emptyLists = (count: number) => `1${", '{}'".repeat(count)}`;
  const written: readonly (readonly [readonly WritePart[], string])[] = [
    [['update', 'insertSets'], emptyLists(25)],
    [['insert', 'insertSets'], emptyLists(24)],
    [['update', 'insert', 'insertSets', 'erase'], emptyLists(41)],
  ];
  const executed: readonly (readonly [{ readonly name: string; readonly text: string }, string])[] = [
    [statements.read, "1, '{}', 1"],
    [statements.lockAndRead, "1, '{}'"],
    [statements.setNumbers, "1, '', 1"],
    [statements.lockAsRead, "1, '{}', '{}', 0"],
    ...written.map(([parts, values]) => [writeStatement(parts), values] as const),
  ];

  it('find each row by its complete key, also in a large tenant among many small ones', async () => {
    const database = await urlForTest(freshPostgres);
    await (await openStore({ database })).close();
    await queryOnce(
      database,
      `insert into account (tenant_id, account_id, fields, revision, created_at, updated_at)
       select tenant, 'a-' || n, '{}', 1, 1, 1
       from generate_series(1, 2000) as tenant, generate_series(1, case tenant when 1 then 20000 else 2 end) as n;
       analyze account`,
    );
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    await client.query(`set plan_cache_mode = force_generic_plan; set enable_seqscan = off;
      set enable_hashjoin = off; set enable_mergejoin = off`);
    for (const [{ name, text }, values] of executed) {
      await client.query(`prepare "${name}" as ${text}`);
      const { rows } = await client.query(`explain execute "${name}" (${values})`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).not.toMatch(/Seq Scan on account/);
      // A condition on the tenant alone would read the whole tenant.
      expect(plan).not.toMatch(/Index Cond: \(tenant_id = \S+\)$/m);
      if (/lock|read|update/.test(name)) expect(plan).toMatch(/Index Cond: .*account_id = /);
    }
    await client.end();
  });
});
