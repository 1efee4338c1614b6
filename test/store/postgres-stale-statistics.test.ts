import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountFilter } from '../../dist/store/accounts/account-filter.js';
import { AccountPages } from '../../dist/store/accounts/account-pages.js';
import { AccountReader } from '../../dist/store/accounts/account-reader.js';
import type { PageOrder } from '../../dist/store/accounts/listing-plan.js';
import { RecentAccounts } from '../../dist/store/accounts/recent-accounts.js';
import { ChangeFeed } from '../../dist/store/changes/change-feed.js';
import { BEGINNING } from '../../dist/store/changes/sets-after.js';
import { POSTGRES } from '../../dist/store/dialect.js';
import type { CopyEndpoint } from '../../dist/store/maintenance/copy-database.js';
import { openCopyEndpoint } from '../../dist/store/maintenance/open-copy-endpoint.js';
import { openStore } from '../../dist/store/open-store.js';
import { PostgresServer, queryOnce } from '../support/postgres/postgres-server.js';
import { queriesOf } from './queries-of.js';
import { createTenant } from './store-contract.js';

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
      store.upsert({ tenantId, patches, requestId: 'r', keyId: 'k', at: 1, bytes: 1 });
    await write(Array.from({ length: 5_000 }, (_, licenses) => ({ accountId: 'a', fields: { licenses } })));
    await store.jobs.eraseTraces(tenantId, 'a');
    await write([{ accountId: 'a', fields: {}, erase: true }]);
    const kinds = 'select kind, count(*)::int as changes from account_history group by kind order by kind';
    expect(await queryOnce(database, kinds)).toEqual([
      { kind: 'deleted', changes: 1 },
      { kind: 'erased created', changes: 1 },
      { kind: 'erased updated', changes: 4_999 },
    ]);
    await store.close();
  });

  describe('for one tenant only', () => {
    const ACCOUNTS = 12_000;
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

    let end: CopyEndpoint;
    let tenantId: number;
    beforeAll(async () => {
      const database = await server.createDatabase();
      const store = await openStore({ database });
      const fill = async (tenant: string, length: number) => {
        const id = await createTenant(store, tenant);
        const patches = Array.from({ length }, (_, i) => ({
          accountId: `a-${100_000 + i}`,
          fields: { name: `Name ${i}`, licenses: 0, ...(i % 3 === 0 && { parent_account_id: 'p' }) },
        }));
        await store.upsert({ tenantId: id, patches, requestId: 'r', keyId: 'k', at: 1, bytes: 1 });
        return id;
      };
      await fill('known', 60);
      await queryOnce(database, 'analyze');
      tenantId = await fill('new', ACCOUNTS);
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
      const queries = await queriesOf(end.db, (db) => work(db, tenantId));
      let read = 0;
      for (const { sql, parameters } of queries) {
        const explain = CompiledQuery.raw(`explain (analyze, format json) ${sql}`, [...parameters]);
        const { rows } = await end.db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain);
        for (const row of rows) read += rowsRead(row['QUERY PLAN'][0].Plan);
      }
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThan(4 * ACCOUNTS);
    });
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
