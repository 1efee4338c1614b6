import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../dist/domain/account.js';
import type { JsonObject } from '../../dist/domain/json.js';
import type { AccountFilter } from '../../dist/store/accounts/account-filter.js';
import { type AccountCount, AccountPages } from '../../dist/store/accounts/account-pages.js';
import { AccountReader } from '../../dist/store/accounts/account-reader.js';
import type { PageOrder } from '../../dist/store/accounts/listing-plan.js';
import { RecentAccounts } from '../../dist/store/accounts/recent-accounts.js';
import { ChangeFeed } from '../../dist/store/changes/change-feed.js';
import { POSTGRES, SQLITE } from '../../dist/store/dialect.js';
import type { CopyEndpoint } from '../../dist/store/maintenance/copy-database.js';
import { openCopyEndpoint } from '../../dist/store/maintenance/open-copy-endpoint.js';
import { openStore } from '../../dist/store/open-store.js';
import { BEGINNING, type Position } from '../../dist/store/schema/position.js';
import { type Database, databases } from '../support/databases.js';
import { createTenant } from './store-contract.js';

const pick = <T>(values: readonly T[], n: number) => values[n % values.length] as T;
const IDS = Array.from({ length: 60 }, (_, i) => `${pick(['a', 'ab', 'ä', 'b-', 'zo'], i)}${i}`);
const NAMES = ['Ab one', 'AB', 'ab', 'B', 'bÄ', 'bä', '', 'Zo', null];
const fieldsOf = (i: number): JsonObject => ({
  name: pick(NAMES, i * 7),
  parent_account_id: pick(['p', 'q', null], i),
  custom_Tier: pick(['gold', 'silver', null], i * 5),
  licenses: pick([1, 2], i),
});

const prefix = fc.constantFrom('a', 'ab', 'b', 'Z', 'ä', 'nothing');
const filter: fc.Arbitrary<AccountFilter> = fc.oneof(
  fc.record({ kind: fc.constant('parent' as const), parentId: fc.constantFrom('p', 'q', 'r') }),
  prefix.map((name) => ({ kind: 'search' as const, id: name.toLowerCase(), name })),
  prefix.map((text) => ({ kind: 'id' as const, prefix: text.toLowerCase() })),
  prefix.map((text) => ({ kind: 'name' as const, prefix: text })),
  fc.record({
    kind: fc.constant('attribute' as const),
    name: fc.constant('custom_Tier'),
    value: fc.constantFrom('"gold"', '"silver"', '"none"'),
    isIndexed: fc.boolean(),
  }),
  fc.constantFrom(1, 2).map((licenses) => ({
    kind: 'attribute' as const,
    name: 'licenses',
    value: String(licenses),
    isIndexed: false,
  })),
  fc.constantFrom(0, 20, 65, 1_000).map((at) => ({ kind: 'since' as const, at })),
  fc.constantFrom('include' as const, 'only' as const).map((which) => ({ kind: 'archived' as const, which })),
);
const filters = fc.uniqueArray(filter, { maxLength: 4, selector: ({ kind }) => kind });
const size = fc.constantFrom(1, 2, 7, 25, 100);
const ALL_BYTES = 1_000_000;
const budget = fc.record({ accounts: size, bytes: fc.constantFrom(1, 90, 500, ALL_BYTES) });

const fold = (name: string) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const startsWith = (text: unknown, start: string) =>
  typeof text === 'string' && fold(text).startsWith(fold(start));

function matches({ accountId, fields, updatedAt, archivedAt }: Account, one: AccountFilter): boolean {
  switch (one.kind) {
    case 'parent':
      return fields.parent_account_id === one.parentId;
    case 'search':
      return accountId.startsWith(one.id) || startsWith(fields.name, one.name);
    case 'id':
      return accountId.startsWith(one.prefix);
    case 'name':
      return startsWith(fields.name, one.prefix);
    case 'attribute':
      return JSON.stringify(fields[one.name]) === one.value;
    case 'since':
      return updatedAt >= one.at;
    case 'archived':
      return one.which === 'include' || archivedAt !== null;
    default:
      throw new Error(`${one.kind} is not part of this test`);
  }
}

/** Sorted by bytes. Accounts without a name come after all others, by ascending id in either direction. */
function sorted(accounts: readonly Account[], order: PageOrder, search: string | undefined): string[] {
  const isDescending = order.startsWith('-');
  const keyOf = ({ accountId, fields: { name } }: Account): [number, ...string[]] => {
    if (order === 'match' && search !== undefined) {
      return accountId.startsWith(search) ? [0, accountId] : [1, fold(String(name)), accountId];
    }
    if (!order.endsWith('name')) return [0, accountId];
    return typeof name === 'string' ? [0, fold(name), accountId] : [1, accountId];
  };
  const compare = (one: Account, other: Account) => {
    const [[segment, ...key], [otherSegment, ...otherKey]] = [keyOf(one), keyOf(other)];
    if (segment !== otherSegment) return segment - otherSegment;
    const orders = key.map((part, i) => Buffer.compare(Buffer.from(part), Buffer.from(otherKey[i] ?? '')));
    return (orders.find((result) => result !== 0) ?? 0) * (isDescending && segment === 0 ? -1 : 1);
  };
  return accounts.toSorted(compare).map(({ accountId }) => accountId);
}

function expectCount({ accounts, isExact }: AccountCount, all: number, bytes: number): void {
  expect(isExact || bytes < ALL_BYTES).toBe(true);
  if (isExact) expect(accounts).toBe(all);
  else expect(accounts).toBeLessThanOrEqual(all);
}

/** `npm run test:all` runs more. */
const RUNS = process.env.TEST_RING === 'quick' ? 20 : 100;

describe.each(databases)('listings on %s', (name, createDatabase) => {
  const dialect = name === 'PostgreSQL' ? POSTGRES : SQLITE;
  let database: Database;
  let end: CopyEndpoint;
  /** The accounts in the order of their last change. */
  let stored: Account[];

  beforeAll(async () => {
    database = await createDatabase();
    const store = await openStore({ database: database.url });
    const tenantId = await createTenant(store, 'acme');
    const tier = { name: 'custom_Tier', type: 'text', choices: [], readOnly: false, indexed: true } as const;
    await store.directory.attributes.set(tenantId, tier);
    const write = (at: number, accountId: string, fields: JsonObject, erase?: true) => {
      const patches = [{ accountId, fields, ...(erase && { erase }) }];
      return store.upsert({ tenantId, patches, requestId: 'r', senderId: 'k', at, bytes: 1 });
    };
    for (const [i, id] of IDS.entries()) await write(i, id, fieldsOf(i));
    for (const i of [3, 40, 8]) await write(60 + i, IDS[i] as string, { custom_More: 'later' });
    for (const i of [5, 30]) await write(200, IDS[i] as string, {}, true);
    // So many that a small budget ends among them.
    const archived = [4, 9, 10, 11, 12, 13, 14, 20, 21, 22, 33, 47].map((i) => IDS[i] as string);
    const patches = archived.map((accountId) => ({ accountId, fields: {}, undo: { archive: true } }));
    await store.upsert({ tenantId, patches, requestId: 'r', senderId: 'k', at: 210, bytes: 1 });
    await store.jobs.countChanges(tenantId, 210);
    const changes = (await store.feed.page(tenantId, BEGINNING, 1_000)).entries;
    const lastOnes = new Map(changes.map(({ accountId }, i) => [accountId, i]));
    const found = await store.accounts.findAll(tenantId, IDS);
    stored = [...found.values()]
      .filter(({ deletedAt }) => deletedAt === null)
      .sort((one, other) => (lastOnes.get(one.accountId) ?? 0) - (lastOnes.get(other.accountId) ?? 0));
    await store.close();
    end = await openCopyEndpoint(database.url, { mustExist: true });
  }, 60_000);
  afterAll(async () => {
    await end.close();
    await database.remove();
  });

  const matching = (asked: readonly AccountFilter[]) => {
    const mayBeArchived = asked.some(({ kind }) => kind === 'archived');
    const listed = stored.filter(({ archivedAt }) => mayBeArchived || archivedAt === null);
    return listed.filter((account) => asked.every((one) => matches(account, one)));
  };

  it('hold all matching accounts in order, for any filters, page size and scan budget', async () => {
    const order = fc.constantFrom<PageOrder>('id', '-id', 'name', '-name', 'match');
    await fc.assert(
      fc.asyncProperty(order, filters, size, budget, async (wanted, asked, limit, scanBudget) => {
        const search = asked.find((one) => one.kind === 'search');
        const listing = { order: search === undefined && wanted === 'match' ? 'id' : wanted, filters: asked };
        const pages = new AccountPages(end.db, dialect, scanBudget);
        const seen: string[] = [];
        for (let after: readonly string[] | undefined = []; after !== undefined; ) {
          const page = await pages.page(1, listing, limit, after);
          expect(page.accounts.length).toBeLessThanOrEqual(limit);
          seen.push(...page.accounts.map(({ accountId }) => accountId));
          after = page.next;
        }
        expect(seen).toEqual(sorted(matching(asked), listing.order, search?.id));
        expectCount(await pages.count(1, asked), seen.length, scanBudget.bytes);
      }),
      { numRuns: RUNS },
    );
  }, 60_000);

  it('hold them by last change, too', async () => {
    const directions = fc.constantFrom('asc' as const, 'desc' as const);
    const feed = new ChangeFeed(end.db, dialect);
    const until = await feed.end(1);
    await fc.assert(
      fc.asyncProperty(directions, filters, size, budget, async (direction, asked, limit, scanBudget) => {
        const recent = new RecentAccounts(end.db, dialect, feed, new AccountReader(end.db), scanBudget);
        const seen: string[] = [];
        const first =
          direction === 'asc' ? BEGINNING : { commitOrder: until.commitOrder, seq: until.seq + 1 };
        for (let from: Position | undefined = first; from !== undefined; ) {
          const range = { from, until, direction, filters: asked, limit };
          const page = await recent.page(1, range);
          expect(page.accounts.length).toBeLessThanOrEqual(limit);
          seen.push(...page.accounts.map(({ accountId }) => accountId));
          from = page.next;
        }
        const expected = matching(asked).map(({ accountId }) => accountId);
        expect(seen).toEqual(direction === 'asc' ? expected : expected.toReversed());
        expectCount(await recent.count(1, 0, asked), seen.length, scanBudget.bytes);
      }),
      { numRuns: RUNS },
    );
  }, 60_000);
});
