import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountFilter } from '../../dist/store/accounts/account-filter.js';
import { AccountPages } from '../../dist/store/accounts/account-pages.js';
import { AccountReader } from '../../dist/store/accounts/account-reader.js';
import { AccountTree } from '../../dist/store/accounts/account-tree.js';
import type { PageOrder } from '../../dist/store/accounts/listing-plan.js';
import { RecentAccounts } from '../../dist/store/accounts/recent-accounts.js';
import { AccountHistory } from '../../dist/store/changes/account-history.js';
import { ChangeFeed } from '../../dist/store/changes/change-feed.js';
import { Rejections } from '../../dist/store/changes/rejections.js';
import { Statistics } from '../../dist/store/changes/statistics.js';
import { POSTGRES, SQLITE } from '../../dist/store/dialect.js';
import { eraseHistory } from '../../dist/store/jobs/erase-history.js';
import { HistoryPruning, removeEntries } from '../../dist/store/jobs/history-pruning.js';
import { RejectionPruning } from '../../dist/store/jobs/rejection-pruning.js';
import { UnindexedValues } from '../../dist/store/jobs/unindexed-values.js';
import type { CopyEndpoint } from '../../dist/store/maintenance/copy-database.js';
import { openCopyEndpoint } from '../../dist/store/maintenance/open-copy-endpoint.js';
import { openStore } from '../../dist/store/open-store.js';
import { readAudit } from '../../dist/store/tenants/configuration-changes.js';
import { removeTenant } from '../../dist/store/tenants/remove-tenant.js';
import { type Database, databases } from '../support/databases.js';
import { queryOnce } from '../support/postgres/postgres-server.js';
import { queriesOf } from './queries-of.js';
import { createTenant } from './store-contract.js';

const ACCOUNTS = 20_000;

describe.each(databases)('on %s with many accounts', (name, createDatabase) => {
  const isPostgres = name === 'PostgreSQL';
  let database: Database;
  let end: CopyEndpoint;

  beforeAll(async () => {
    database = await createDatabase();
    const store = await openStore({ database: database.url });
    for (const tenant of ['other', 'acme']) await createTenant(store, tenant);
    const tier = { name: 'custom_Tier', type: 'text', choices: [], readOnly: false, indexed: true } as const;
    await store.directory.attributes.set(2, tier);
    await store.directory.attributes.set(2, { ...tier, name: 'custom_Kind' });
    await store.directory.changeTenant(2, { historyDays: 1 });
    for (let from = 0; from < ACCOUNTS; from += 2_000) {
      const patches = Array.from({ length: 2_000 }, (_, i) => ({
        accountId: `a-${100_000 + from + i}`,
        fields: {
          name: `Name ${i}`,
          parent_account_id: i % 3 === 0 ? 'p-all' : `p-${from + (i % 50)}`,
          custom_Tier: `${i % 20}`,
          custom_Kind: i % 2 === 0 ? 'even' : 'odd',
        },
      }));
      await store.upsert({ tenantId: 2, patches, requestId: 'r', keyId: 'k', at: from, bytes: 1 });
    }
    await store.close();
    if (isPostgres) await queryOnce(database.url, 'analyze');
    end = await openCopyEndpoint(database.url, { mustExist: true });
  }, 60_000);
  afterAll(async () => {
    await end.close();
    await database.remove();
  });

  /** The query plans of all queries that `work` sends. */
  async function plansOf(work: (db: CopyEndpoint['db']) => Promise<unknown>): Promise<string[]> {
    const queries = await queriesOf(end.db, work);
    const explain = isPostgres ? 'explain' : 'explain query plan';
    const keys = [
      ['sqlite_autoindex_account_history_1', 'account_history_key'],
      ['sqlite_autoindex_account_1', 'account_key'],
    ] as const;
    const plans: string[] = [];
    for (const { sql, parameters } of queries) {
      if (sql.startsWith('lock')) continue;
      const { rows } = await end.db.executeQuery<Record<string, string>>(
        CompiledQuery.raw(`${explain} ${sql}`, [...parameters]),
      );
      const plan = rows.map((row) => row['QUERY PLAN'] ?? row.detail).join('\n');
      plans.push(keys.reduce((text, [own, key]) => text.replaceAll(own, key), plan));
    }
    return plans;
  }

  const dialect = isPostgres ? POSTGRES : SQLITE;
  const feed = (db: CopyEndpoint['db']) => new ChangeFeed(db, dialect);
  const pages = (db: CopyEndpoint['db']) => new AccountPages(db, dialect);
  const page = (order: PageOrder, filters: AccountFilter[], after: string[]) => (db: CopyEndpoint['db']) =>
    pages(db).page(2, { order, filters }, 50, ['0', ...after]);
  const count =
    (...filters: AccountFilter[]) =>
    (db: CopyEndpoint['db']) =>
      pages(db).count(2, filters);
  const recent =
    (direction: 'asc' | 'desc', ...filters: AccountFilter[]) =>
    (db: CopyEndpoint['db']) =>
      new RecentAccounts(db, dialect, feed(db), new AccountReader(db)).page(2, {
        from: { commitOrder: 2 ** 40, seq: 10_000 },
        until: { commitOrder: 2 ** 40, seq: 15_000 },
        direction,
        filters: [{ kind: 'since', at: 5 }, ...filters],
        limit: 50,
      });
  const byId: AccountFilter = { kind: 'id', prefix: 'a-11' };
  const byName: AccountFilter = { kind: 'name', prefix: 'name 1' };
  const byParent: AccountFilter = { kind: 'parent', parentId: 'p-7' };
  const byTier: AccountFilter = { kind: 'attribute', name: 'custom_Tier', value: '"7"', isIndexed: true };
  const bySearch: AccountFilter = { kind: 'search', id: 'a-11111', name: 'name 11' };
  const unindexed: AccountFilter = { ...byTier, isIndexed: false };
  const ofMany: AccountFilter = { kind: 'parent', parentId: 'p-all' };
  const even: AccountFilter = { kind: 'attribute', name: 'custom_Kind', value: '"even"', isIndexed: true };
  /** Matches every account, so neither index finds a small set. */
  const many: AccountFilter = { kind: 'search', id: 'a', name: 'n' };

  const some = async (db: CopyEndpoint['db']) => (await page('id', [], [])(db)).accounts;

  it.each<[string, (db: CopyEndpoint['db']) => Promise<unknown>, readonly string[], boolean?]>([
    ['one account', (db) => new AccountReader(db).find(2, 'a-1'), ['account_key']],
    [
      'its history',
      (db) => new AccountHistory(db).read(2, 'a-1', { before: 9, limit: 50 }),
      ['account_history_key'],
    ],
    ['all', page('id', [], []), ['account_key']],
    ['all, after a key', page('id', [], ['a-110000']), ['account_key']],
    ['by id', page('id', [byId], ['a-110000']), ['account_key']],
    ['by name', page('name', [byName], []), ['account_by_name']],
    ['by name, after a key', page('name', [byName], ['name 1', 'a-110000']), ['account_by_name']],
    ['by parent', page('id', [byParent], ['a-100001']), ['account_by_parent']],
    ['by attribute', page('id', [byTier], []), ['account_by_value', 'account_key']],
    ['by attribute, after a key', page('id', [byTier], ['a-110000']), ['account_by_value', 'account_key']],
    ['all, backwards', page('-id', [], ['a-110000']), ['account_key']],
    ['by parent, backwards', page('-id', [byParent], ['a-100001']), ['account_by_parent']],
    ['all, by name', page('name', [], ['name 1', 'a-110000']), ['account_by_name'], true],
    ['all, by name, backwards', page('-name', [], ['name 1', 'a-110000']), ['account_by_name'], true],
    ['a search', page('match', [bySearch], []), ['account_key', 'account_by_name'], true],
    ['many of a search', page('match', [many], ['a-110000']), ['account_key']],
    ['few of a parent, by name', page('name', [byParent], []), ['account_by_parent'], true],
    ['few of a search, by id', page('id', [bySearch], []), ['account_by_name', 'account_key'], true],
    [
      'few of a search and an attribute',
      page('match', [bySearch, byTier], []),
      ['account_key', 'account_by_name'],
      true,
    ],
    ['many, by name', page('name', [many], ['name 1', 'a-110000']), ['account_by_name', 'account_key'], true],
    [
      'many, by name, backwards',
      page('-name', [many, unindexed], ['name 1', 'a-110000']),
      ['account_by_name'],
      true,
    ],
    ['many of a parent', page('id', [ofMany, even], ['a-105000']), ['account_by_parent'], true],
    ['many of an attribute', page('-id', [even, unindexed], ['a-115000']), ['account_by_value'], true],
    ['by an attribute without an index', page('id', [unindexed], ['a-110000']), ['account_key'], true],
    ['a count of a search', count(bySearch), ['account_key', 'account_by_name']],
    ['a count of many', count(many, unindexed), ['account_key', 'account_by_name']],
    ['a count of few', count(byParent, byTier), ['account_by_parent'], true],
    [
      'the newest changes of few',
      recent('desc', byParent),
      ['account_by_parent', 'account_history_key'],
      true,
    ],
    ['the newest changes of many', recent('desc', many), ['account_history_feed', 'account_history_key']],
    ['the position before the last changes', (db) => feed(db).beforeLast(2, 20), ['account_history_feed']],
    [
      'parents',
      async (db) => new AccountTree(db, new AccountReader(db), pages(db)).parentsAmong(2, await some(db)),
      ['account_by_parent', 'account_key'],
    ],
    ['a count by name', count(byName), ['account_by_name']],
    ['a count by parent', count(byParent), ['account_by_parent']],
    ['a count by attribute', count(byTier), ['account_by_value', 'account_key']],
    ['the feed', (db) => feed(db).page(2, { commitOrder: 0, seq: 9 }, 50), ['account_history_feed']],
    ['the end of the feed', (db) => feed(db).end(2), ['account_history_feed']],
    [
      'later changes in the feed',
      (db) => feed(db).hasMore(2, { commitOrder: 0, seq: 9 }),
      ['account_history_feed'],
    ],
    ['a time in the feed', (db) => feed(db).before(2, 50_000), ['account_history_time'], true],
    ['the oldest changes', recent('asc'), ['account_history_feed', 'account_key', 'account_history_key']],
    ['the newest changes', recent('desc'), ['account_history_feed', 'account_key', 'account_history_key']],
    [
      'a subtree',
      (db) => new AccountTree(db, new AccountReader(db), pages(db)).subtree(2, 'p-7', 10),
      ['account_by_parent'],
    ],
    ['the audit', (db) => readAudit(db, 2, 9, 50), ['audit_by_tenant']],
    [
      'rejections',
      (db) => new Rejections(db).page(2, { before: 9, limit: 50, oldest: 1 }),
      ['rejection_by_tenant'],
    ],
    [
      'rejections of an account, by a key, in a period',
      (db) =>
        new Rejections(db).page(2, {
          before: 9,
          limit: 50,
          oldest: 1,
          until: 9,
          keyId: 'k',
          operation: 'o',
          isAccount: () => true,
        }),
      ['rejection_by_tenant'],
    ],
    [
      'changes that are too old',
      (db) => new HistoryPruning(db, dialect).step(2, 10 * 86_400_000),
      ['account_history_feed', 'account_history_key'],
    ],
    [
      'changes to remove',
      (db) =>
        db
          .transaction()
          .execute((transaction) =>
            removeEntries(transaction, dialect, 2, [{ seq: -1, account_id: 'a', revision: 1 }]),
          ),
      [isPostgres ? 'account_history_key' : 'account_history'],
    ],
    [
      'rejections that are too old',
      (db) => new RejectionPruning(db, dialect).step(2, 1, 7),
      ['rejection_by_tenant'],
      true,
    ],
    [
      'values that are not indexed any more',
      async (db) => {
        const value = { tenant_id: 2, account_id: 'a-100000', name: 'custom_Gone', value: '1' };
        await end.db.insertInto('account_value').values(value).execute();
        expect(await new UnindexedValues(db, dialect).step(2)).toEqual({ removed: 1, isDone: false });
      },
      ['account_by_value'],
      true,
    ],
    ['a history to erase', (db) => eraseHistory(db, dialect, 2, 'a-100001'), ['account_history_key']],
    ['counts', (db) => new Statistics(db).periods(2, 'hour', 1, 2), ['period_count']],
  ])('%s: read by an index, in its order', async (_what, work, indexes, isBounded = false) => {
    const plans = await plansOf(work);
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) {
      const isByIndex = isPostgres
        ? !/Seq Scan on (?!configuration)/.test(plan)
        : !/^SCAN (?!scanned|measured|\(subquery|few|part|h\b|json_each|gap|bounds|CONSTANT)/m.test(plan);
      expect({ plan, isByIndex }).toEqual({ plan, isByIndex: true });
      // A sort reads all of its input first. That is allowed only for two parts of one page each, a small set, or rows
      // within the scan budget.
      const isOfParts = isPostgres ? (plan.match(/Limit/g) ?? []).length >= 3 : plan.includes('UNION ALL');
      if (!isOfParts && !isBounded) expect(plan).not.toMatch(/Sort Key|TEMP B-TREE FOR ORDER/);
    }
    for (const index of indexes) expect(plans.join('\n')).toContain(index);
  });

  // The last test: it removes the data of the others.
  it('a tenant is removed by the physical addresses of its rows, without reading those of others', async () => {
    const plans = await plansOf((db) => removeTenant(db, dialect, 2, () => undefined));
    expect(plans.join('\n')).not.toMatch(/Join/);
    if (isPostgres) expect(plans.join('\n')).toContain('Tid Scan on account_history');
  }, 60_000);
});
