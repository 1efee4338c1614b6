import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountPatch } from '../../dist/domain/account.js';
import type { AccountFilter } from '../../dist/store/accounts/account-filter.js';
import { AccountPages } from '../../dist/store/accounts/account-pages.js';
import { AccountReader } from '../../dist/store/accounts/account-reader.js';
import type { PageOrder } from '../../dist/store/accounts/listing-plan.js';
import { RecentAccounts } from '../../dist/store/accounts/recent-accounts.js';
import { AccountHistory } from '../../dist/store/changes/account-history.js';
import { ChangeChains } from '../../dist/store/changes/change-chains.js';
import { ChangeFeed } from '../../dist/store/changes/change-feed.js';
import { scanSets } from '../../dist/store/changes/sets-after.js';
import { StatisticsUpdate } from '../../dist/store/changes/statistics-update.js';
import { POSTGRES } from '../../dist/store/dialect.js';
import { HistoryErasure } from '../../dist/store/jobs/history-erasure.js';
import { HistoryPruning } from '../../dist/store/jobs/history-pruning.js';
import type { PruneTask } from '../../dist/store/jobs/jobs.js';
import type { CopyEndpoint } from '../../dist/store/maintenance/copy-database.js';
import { openCopyEndpoint } from '../../dist/store/maintenance/open-copy-endpoint.js';
import { openStore } from '../../dist/store/open-store.js';
import { decodeLine, linesOf, NUMBERS_PER_SET } from '../../dist/store/schema/change-set.js';
import { BEGINNING } from '../../dist/store/schema/position.js';
import { queriesOf } from '../store/queries-of.js';
import { createTenant } from '../store/store-contract.js';
import { PostgresServer, queryOnce } from '../support/postgres/postgres-server.js';

describe('on a PostgreSQL with outdated planner statistics', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start({ autovacuum: 'off' });
  }, 60_000);
  afterAll(() => server.remove());

  it('an account with thousands of changes is deleted', async () => {
    const database = await server.createDatabase();
    const store = await openStore({ database });
    const tenantId = await createTenant(store, 'acme');
    const write = (patches: readonly { accountId: string; fields: { licenses?: number }; erase?: true }[]) =>
      store.upsert({ tenantId, patches, requestId: 'r', senderId: 'k', at: 1, bytes: 1 });
    await write(Array.from({ length: 5_000 }, (_, licenses) => ({ accountId: 'a', fields: { licenses } })));
    await store.jobs.eraseTraces(tenantId, 'a');
    await write([{ accountId: 'a', fields: {}, erase: true }]);
    let erasures: PruneTask | undefined = { what: 'erasures', tenantId };
    while (erasures !== undefined) erasures = (await store.jobs.prune(erasures, 1, 1)).next;
    const sets = await queryOnce(database, 'select entries from change_set order by turn, seq');
    const changes = sets.flatMap(({ entries }) => Array.from(linesOf(0, entries as Buffer), decodeLine));
    expect(changes.map(({ kind, isErased }) => (isErased ? `erased ${kind}` : kind))).toEqual([
      'erased created',
      ...Array(4_999).fill('erased updated'),
      'erased deleted',
    ]);
    await store.close();
  });

  describe('for one tenant only', () => {
    const ACCOUNTS = 12_000;
    /** Of the tenant with many change sets: accounts, changes of each in requests of their own, and deleted accounts. */
    const BUSY = 100;
    const CHANGES = 30;
    const DELETED = 3_000;
    const SETS = BUSY * CHANGES + 2 * Math.ceil(DELETED / NUMBERS_PER_SET);
    const byParent: AccountFilter = { kind: 'parent', parentId: 'p' };
    const bySearch: AccountFilter = { kind: 'search', id: 'a-1011', name: 'name 1' };
    const byField: AccountFilter = { kind: 'attribute', name: 'licenses', value: '1', isIndexed: false };
    const page =
      (order: PageOrder, ...filters: AccountFilter[]) =>
      (db: CopyEndpoint['db'], tenantId: number) =>
        new AccountPages(db, POSTGRES).page(tenantId, { order, filters }, 50);
    const recent =
      (...filters: AccountFilter[]) =>
      (db: CopyEndpoint['db'], tenantId: number) =>
        new RecentAccounts(db, POSTGRES, new ChangeFeed(db, POSTGRES), new AccountReader(db)).page(tenantId, {
          from: BEGINNING,
          until: { commitOrder: 2 ** 40, seq: 2 ** 40 },
          direction: 'asc',
          filters,
          limit: 50,
        });

    /** The rows that all queries of `work` read. */
    const rowsReadBy = async (work: (db: CopyEndpoint['db']) => Promise<unknown>) => {
      let read = 0;
      for (const { sql, parameters } of await queriesOf(end.db, work)) {
        const explain = CompiledQuery.raw(`explain (analyze, format json) ${sql}`, [...parameters]);
        const { rows } = await end.db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain);
        for (const row of rows) read += rowsRead(row['QUERY PLAN'][0].Plan);
      }
      return read;
    };

    let end: CopyEndpoint;
    let tenantId: number;
    let busyId: number;
    beforeAll(async () => {
      const database = await server.createDatabase();
      const store = await openStore({ database });
      const fill = async (tenant: string, length: number, deleted = 0) => {
        const id = await createTenant(store, tenant);
        const write = (some: readonly AccountPatch[]) =>
          store.upsert({ tenantId: id, patches: some, requestId: 'r', senderId: 'k', at: 1, bytes: 1 });
        const patches = Array.from({ length }, (_, i) => ({
          accountId: `a-${100_000 + i}`,
          fields: { name: `Name ${i}`, licenses: 0, ...(i % 3 === 0 && { parent_account_id: 'p' }) },
        }));
        await write(patches);
        await write(
          patches.slice(0, deleted).map(({ accountId }) => ({ accountId, fields: {}, erase: true })),
        );
        return id;
      };
      await fill('known', 60, 50);
      await queryOnce(database, 'analyze');
      tenantId = await fill('new', ACCOUNTS);
      busyId = await createTenant(store, 'busy');
      await store.directory.changeTenant(busyId, { historyDays: 1 });
      const write = (patches: readonly AccountPatch[]) =>
        store.upsert({ tenantId: busyId, patches, requestId: 'r', senderId: 'k', at: 1, bytes: 1 });
      for (let licenses = 0; licenses < CHANGES; licenses += 1) {
        const accounts = Array.from({ length: BUSY }, (_, i) => ({
          accountId: `b-${i}`,
          fields: { licenses },
        }));
        await Promise.all(accounts.map((account) => write([account])));
      }
      const deleted = Array.from({ length: DELETED }, (_, i) => `d-${i}`);
      await write(deleted.map((accountId) => ({ accountId, fields: { licenses: 1 } })));
      await write(deleted.map((accountId) => ({ accountId, fields: {}, erase: true })));
      await store.close();
      end = await openCopyEndpoint(database, { mustExist: true });
    }, 60_000);
    afterAll(() => end.close());

    it.each([
      ['by their last change', recent()],
      ['by their last change and a field', recent(byField)],
      ['of a parent by their last change', recent(byParent)],
      ['of a search by their last change', recent(bySearch)],
      ['of a parent by name', page('name', byParent)],
      ['of a search by id', page('-id', bySearch)],
      ['of a search and a field', page('match', bySearch, byField)],
    ])('the accounts of another tenant, listed %s, are each read only a few times', async (_what, work) => {
      const read = await rowsReadBy((db) => work(db, tenantId));
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThan(4 * ACCOUNTS);
    });

    it.each<[string, (db: CopyEndpoint['db'], tenantId: number) => Promise<unknown>, number]>([
      ['a page of the feed', (db, tenant) => new ChangeFeed(db, POSTGRES).page(tenant, BEGINNING, 50), 200],
      [
        'the history of an account',
        (db, tenant) => new AccountHistory(db, POSTGRES).page(tenant, 'b-1', { limit: 20 }),
        50,
      ],
      [
        'whether a history is complete',
        (db, tenant) => new AccountHistory(db, POSTGRES).isComplete(tenant, 'b-1'),
        10,
      ],
      [
        'the last changes of accounts before a position',
        async (db, tenant) => {
          const middle = await new ChangeFeed(end.db, POSTGRES).beforeLast(tenant, 2 * DELETED + BUSY * 10);
          const ids = Array.from({ length: BUSY }, (_, i) => `b-${i}`);
          await new ChangeChains(db, POSTGRES).lastWithin(tenant, ids, { until: middle });
        },
        BUSY * 15,
      ],
      [
        'all sets',
        async (db, tenant) => {
          for await (const _ of scanSets(db, tenant));
        },
        3 * SETS,
      ],
      ['the statistics', (db, tenant) => new StatisticsUpdate(db, POSTGRES).catchUp(tenant, 1), 4 * SETS],
      [
        'a step that removes old changes',
        async (db, tenant) => {
          await new StatisticsUpdate(end.db, POSTGRES).catchUp(tenant, 1);
          const { removed } = await new HistoryPruning(db, POSTGRES).step(tenant, 10 * 86_400_000);
          expect(removed).toBe(NUMBERS_PER_SET);
        },
        6 * NUMBERS_PER_SET,
      ],
      ['the erasures that are due', (db) => new HistoryErasure(db, POSTGRES).due(1), 10],
      [
        'a step that erases values',
        (db, tenant) => new HistoryErasure(db, POSTGRES).step(tenant, 1),
        6 * NUMBERS_PER_SET,
      ],
    ])(
      'another tenant with many change sets, %s: no more rows are read than needed',
      async (_what, work, most) => {
        const read = await rowsReadBy((db) => work(db, busyId));
        expect(read).toBeGreaterThan(0);
        expect(read).toBeLessThan(most);
      },
    );
  });
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function rowsRead(node: PlanNode): number {
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const below = (node.Plans ?? []).map(rowsRead).reduce((sum, some) => sum + some, 0);
  return below + (node['Relation Name'] === undefined ? 0 : rows);
}
