import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountFilter } from '../../dist/store/accounts/account-filter.js';
import { AccountPages } from '../../dist/store/accounts/account-pages.js';
import { AccountReader } from '../../dist/store/accounts/account-reader.js';
import { AccountTree } from '../../dist/store/accounts/account-tree.js';
import type { PageOrder } from '../../dist/store/accounts/listing-plan.js';
import { RecentAccounts } from '../../dist/store/accounts/recent-accounts.js';
import { AccountHistory } from '../../dist/store/changes/account-history.js';
import { ChangeChains } from '../../dist/store/changes/change-chains.js';
import { ChangeFeed } from '../../dist/store/changes/change-feed.js';
import { Rejections } from '../../dist/store/changes/rejections.js';
import { scanSets } from '../../dist/store/changes/sets-after.js';
import { Statistics } from '../../dist/store/changes/statistics.js';
import { StatisticsUpdate } from '../../dist/store/changes/statistics-update.js';
import { POSTGRES, SQLITE } from '../../dist/store/dialect.js';
import { HistoryErasure } from '../../dist/store/jobs/history-erasure.js';
import { HistoryPruning } from '../../dist/store/jobs/history-pruning.js';
import { LogPruning } from '../../dist/store/jobs/log-pruning.js';
import { OldChanges } from '../../dist/store/jobs/old-changes.js';
import { UnindexedValues } from '../../dist/store/jobs/unindexed-values.js';
import type { CopyEndpoint } from '../../dist/store/maintenance/copy-database.js';
import { openCopyEndpoint } from '../../dist/store/maintenance/open-copy-endpoint.js';
import { openStore } from '../../dist/store/open-store.js';
import { BEGINNING } from '../../dist/store/schema/position.js';
import { readAudit } from '../../dist/store/tenants/configuration-changes.js';
import { removeTenant } from '../../dist/store/tenants/remove-tenant.js';
import { queriesOf } from '../store/queries-of.js';
import { createTenant } from '../store/store-contract.js';
import { type Database, databases } from '../support/databases.js';
import { queryOnce } from '../support/postgres/postgres-server.js';

const ACCOUNTS = 20_000;
/** Accounts that are changed once more, each by a request of its own. */
const CHANGED = 4_000;
/** Accounts that are deleted: their values are to be erased. */
const DELETED = 2_000;
/** In SQLite: other scans read constants, an intermediate result of a limited query, or all tenants for a job. */
const SCAN_OF_TABLE =
  /^SCAN (?!scanned|measured|\(subquery|few|part|json_each|gap|bounds|(\d+ )?CONSTANT|\d+-ROW VALUES|tenant\b|(p|c|f|link|walk|next|sets)\b)/m;

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
      await store.upsert({ tenantId: 2, patches, requestId: 'r', senderId: 'k', at: from, bytes: 1 });
    }
    for (let from = 0; from < CHANGED; from += 500) {
      const changes = Array.from({ length: 500 }, (_, i) => ({
        tenantId: 2,
        patches: [{ accountId: `a-${100_000 + from + i}`, fields: { licenses: 1 } }],
        requestId: 'r',
        senderId: 'k',
        at: ACCOUNTS + from + i,
        bytes: 1,
      }));
      await Promise.all(changes.map((change) => store.upsert(change)));
    }
    const deleted = Array.from({ length: DELETED }, (_, i) => ({
      accountId: `a-${119_999 - i}`,
      fields: {},
      erase: true as const,
    }));
    await store.upsert({
      tenantId: 2,
      patches: deleted,
      requestId: 'r',
      senderId: 'k',
      at: 30_000,
      bytes: 1,
    });
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
    const plans: string[] = [];
    for (const { sql, parameters } of queries) {
      if (sql.startsWith('lock')) continue;
      const { rows } = await end.db.executeQuery<Record<string, string>>(
        CompiledQuery.raw(`${explain} ${sql}`, [...parameters]),
      );
      const plan = rows.map((row) => row['QUERY PLAN'] ?? row.detail).join('\n');
      plans.push(plan.replaceAll('sqlite_autoindex_account_1', 'account_key'));
    }
    return plans;
  }

  /** How a plan shows that change sets are found by their numbers. */
  const byNumber = isPostgres ? 'change_set_pkey' : 'USING INTEGER PRIMARY KEY';
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
      (db) => new AccountHistory(db, dialect).page(2, 'a-100001', { limit: 50 }),
      ['account_key', byNumber],
      true,
    ],
    [
      'whether its history is complete',
      (db) => new AccountHistory(db, dialect).isComplete(2, 'a-100001'),
      ['account_key', byNumber],
    ],
    [
      'the last changes of accounts up to a position',
      (db) => new ChangeChains(db, dialect).lastWithin(2, ['a-100001', 'a-100002'], { until: BEGINNING }),
      ['account_key', byNumber],
    ],
    [
      'the last changes of accounts before a time',
      (db) => new ChangeChains(db, dialect).lastWithin(2, ['a-100001', 'a-100002'], { before: 50 }),
      ['account_key', byNumber],
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
    ['the newest changes of few', recent('desc', byParent), ['account_by_parent', byNumber], true],
    ['the newest changes of many', recent('desc', many), ['change_set_feed', byNumber]],
    // These sets are short: their entries are read with their headers.
    ['the position before the last changes', (db) => feed(db).beforeLast(2, 20), ['change_set_feed']],
    [
      'parents',
      async (db) => new AccountTree(db, new AccountReader(db), pages(db)).parentsAmong(2, await some(db)),
      ['account_by_parent', 'account_key'],
    ],
    ['a count by name', count(byName), ['account_by_name']],
    ['a count by parent', count(byParent), ['account_by_parent']],
    ['a count by attribute', count(byTier), ['account_by_value', 'account_key']],
    ['the feed', (db) => feed(db).page(2, { commitOrder: 0, seq: 9 }, 50), ['change_set_feed', byNumber]],
    ['the end of the feed', (db) => feed(db).end(2), ['change_set_feed']],
    [
      'later changes in the feed',
      (db) => feed(db).hasMore(2, { commitOrder: 0, seq: 9 }),
      ['change_set_feed'],
    ],
    ['a time in the feed', (db) => feed(db).before(2, 38_000), ['change_set_time'], true],
    ['the oldest changes', recent('asc'), ['change_set_feed', 'account_key', byNumber]],
    ['the newest changes', recent('desc'), ['change_set_feed', 'account_key', byNumber]],
    [
      'all change sets',
      async (db) => {
        for await (const _ of scanSets(db, 2));
      },
      ['change_set_feed', byNumber],
      true,
    ],
    ['the statistics', (db) => new StatisticsUpdate(db, dialect).catchUp(2, 1), ['change_set_feed']],
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
      async (db) => {
        await new StatisticsUpdate(end.db, dialect).catchUp(2, 1);
        const { removed } = await new HistoryPruning(db, dialect).step(2, 10 * 86_400_000);
        expect(removed).toBeGreaterThan(0);
      },
      ['change_set_feed', 'account_key', byNumber],
      true,
    ],
    [
      'changes that are too old, but needed by listings of a time before later ones',
      async (db) => {
        const first = end.db.selectFrom('change_set').select('seq').orderBy('turn').orderBy('seq').limit(2);
        const seqs = (await first.execute()).map(({ seq }) => seq);
        expect(await new OldChanges(db, dialect).prune(2, seqs, ACCOUNTS)).toEqual([]);
      },
      ['account_key', byNumber],
      true,
    ],
    [
      'rejections that are too old',
      (db) => new LogPruning(db, dialect, 'rejection').step(2, 1, 7),
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
    [
      'tenants with values to erase',
      async (db) => expect(await new HistoryErasure(db, dialect).due(1)).toEqual([2]),
      ['erasure_by_change'],
    ],
    ['values to erase', (db) => new HistoryErasure(db, dialect).step(2, 1), ['erasure_by_change', byNumber]],
    ['counts', (db) => new Statistics(db).periods(2, 'hour', 1, 2), ['period_count']],
  ])('%s: read by an index, in its order', async (_what, work, indexes, isBounded = false) => {
    const plans = await plansOf(work);
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) {
      const isByIndex = isPostgres
        ? !/Seq Scan on (?!configuration|tenant\b)/.test(plan)
        : !SCAN_OF_TABLE.test(plan);
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
    if (isPostgres) expect(plans.join('\n')).toContain('Tid Scan on change_set');
  }, 60_000);
});
