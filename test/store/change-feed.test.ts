import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ChangeFeed, type FeedEntry } from '../../dist/store/changes/change-feed.js';
import { SQLITE } from '../../dist/store/dialect.js';
import { openCopyEndpoint } from '../../dist/store/maintenance/open-copy-endpoint.js';
import { openStore } from '../../dist/store/open-store.js';
import { ConnectionPools } from '../../dist/store/postgres/connection-pools.js';
import { GroupTransaction } from '../../dist/store/postgres/group-transaction.js';
import type { UpsertRequest } from '../../dist/store/requests.js';
import { headOf, linesOf } from '../../dist/store/schema/change-set.js';
import { ChangeSetBuilder } from '../../dist/store/schema/change-set-builder.js';
import { BEGINNING, type Position } from '../../dist/store/schema/position.js';
import type { Store } from '../../dist/store/store.js';
import { PostgresServer, queryOnce } from '../support/postgres/postgres-server.js';
import { createTenant } from './store-contract.js';

let server: PostgresServer;
let database: string;
let store: Store;
beforeAll(async () => {
  server = await PostgresServer.start();
  database = await server.createDatabase();
  store = await openStore({ database });
}, 60_000);
afterAll(async () => {
  await store.close();
  await server.remove();
});

let tenants = 0;
const newTenant = () => {
  tenants += 1;
  return createTenant(store, `tenant-${tenants}`);
};
const request = (
  tenantId: number,
  ids: readonly string[],
  licenses: number,
  erase = false,
): UpsertRequest => ({
  tenantId,
  patches: ids.map((accountId) =>
    erase ? { accountId, fields: {}, erase } : { accountId, fields: { licenses } },
  ),
  requestId: 'r',
  senderId: 'k',
  at: 1,
  bytes: 1,
});
const names = (entries: readonly FeedEntry[]) =>
  entries.map((entry) => `${entry.accountId} ${entry.revision}`);

/** A separate session, for transactions that stay open. */
async function session(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  return client;
}
/** Appends a change set in a transaction that the caller commits. */
async function append(client: pg.Client, tenantId: number, accountId: string): Promise<void> {
  const { rows } = await client.query(
    "select nextval('change_set_seq') as seq, pg_current_xact_id()::text as turn",
  );
  const builder = new ChangeSetBuilder({ tenantId, at: 1, requestId: 'r', senderId: 'k' }, () =>
    Number(rows[0].seq),
  );
  builder.add({ accountId, revision: 1, kind: 'created', isErased: false, changes: {} }, null);
  for (const { seq, fields, entries } of builder.finish()) {
    await client.query(
      `insert into change_set
         (tenant_id, seq, turn, at, request_id, key_id, created, updated, deleted, fields, entries)
       values ($1, $2, $3, 1, 'r', 'k', 1, 0, 0, $4, $5)`,
      [tenantId, seq, rows[0].turn, fields, entries],
    );
  }
}

/** All changes that are stored, in any order. */
async function storedChanges(tenantId: number): Promise<string[]> {
  const sets = await queryOnce(database, `select seq, entries from change_set where tenant_id = ${tenantId}`);
  return sets.flatMap(({ seq, entries }) =>
    Array.from(linesOf(Number(seq), entries as Uint8Array), ({ text }) => {
      const { accountId, revision } = headOf(text);
      return `${accountId} ${revision}`;
    }),
  );
}

/** Resolves once this number of sessions of the database wait for a lock. */
const waiting = (count: number) =>
  vi.waitFor(
    async () => {
      const found = await queryOnce(
        database,
        `select count(*)::int from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(found).toEqual([{ count }]);
    },
    { timeout: 30_000, interval: 20 },
  );

describe('the change feed on PostgreSQL', () => {
  it('returns every change once and in order while several processes write the same accounts', async () => {
    const tenantId = await newTenant();
    const stores = await Promise.all([1, 2, 3].map(() => openStore({ database })));
    const ids = Array.from({ length: 12 }, (_, i) => `a-${10 + i}`);
    let isDone = false;
    const writing = stores.flatMap((one, s) =>
      [0, 1, 2].map(async (writer) => {
        for (let round = 0; round < 40; round += 1) {
          const from = (round * 7 + s * 5 + writer * 3) % ids.length;
          const some = [0, 1, 4, 6].map((step) => ids[(from + step) % ids.length] as string);
          const isErasing = round % 9 === 8;
          await one.upsert(request(tenantId, some, round * 10 + s * 3 + writer, isErasing));
        }
      }),
    );
    const received: FeedEntry[] = [];
    const following = (async () => {
      for (let wasDone = false; ; wasDone = isDone) {
        const page = (await store.feed.page(tenantId, received.at(-1)?.position ?? BEGINNING, 50)).entries;
        received.push(...page);
        if (wasDone && page.length === 0) return;
      }
    })();
    await Promise.all(writing);
    isDone = true;
    await following;
    expectOrder(received);
    expect(names(received).sort()).toEqual((await storedChanges(tenantId)).sort());
    expect(received.length).toBeGreaterThan(500);
    await Promise.all(stores.map((one) => one.close()));
  });

  it('returns a change that commits late before all changes of later transactions', async () => {
    const tenantId = await newTenant();
    const end = await openCopyEndpoint(database, { mustExist: true });
    // A feed without a horizon, which takes all readable changes for final.
    const blind = new ChangeFeed(end.db, SQLITE);
    const slow = await session();
    await slow.query('begin');
    await append(slow, tenantId, 'early');
    await store.upsert(request(tenantId, ['late'], 1));
    expect(names((await store.feed.page(tenantId, BEGINNING, 10)).entries)).toEqual([]);
    expect(await store.feed.end(tenantId)).toEqual(BEGINNING);
    expect(await store.feed.beforeLast(tenantId, 10)).toEqual(BEGINNING);
    expect(await blind.beforeLast(tenantId, 10)).not.toEqual(BEGINNING);
    expect(await store.feed.hasMore(tenantId, BEGINNING)).toBe(true);
    const [seen] = (await blind.page(tenantId, BEGINNING, 10)).entries;
    expect(seen?.accountId).toBe('late');
    await slow.query('commit');
    await slow.end();
    expect(names((await blind.page(tenantId, seen?.position as Position, 10)).entries)).toEqual([]);
    expect(names((await store.feed.page(tenantId, BEGINNING, 10)).entries)).toEqual(['early 1', 'late 1']);
    await end.close();
  });

  it('returns the revisions of an account in order even if a transaction started before one that it waited for', async () => {
    const tenantId = await newTenant();
    await store.upsert(request(tenantId, ['a', 'b', 'c'], 1));
    const gate = await session();
    await gate.query('begin');
    await gate.query(`select from account where tenant_id = ${tenantId} and account_id = 'b' for update`);
    const connections = new ConnectionPools([database], { size: 1, purpose: 'command' });
    // It has locked `a`, which gave it its transaction number, and waits for `b`.
    const first = connections.use((connection) =>
      new GroupTransaction(connection, [request(tenantId, ['a', 'b', 'c'], 3)]).run({ lockFirst: true }),
    );
    await waiting(1);
    expect(await store.upsert(request(tenantId, ['c'], 2))).toMatchObject({ updated: 1 });
    await gate.query('rollback');
    await gate.end();
    await first;
    await connections.end();
    const entries = (await store.feed.page(tenantId, BEGINNING, 10)).entries;
    expect(names(entries)).toEqual(['a 1', 'b 1', 'c 1', 'c 2', 'a 2', 'b 2', 'c 3']);
    expectOrder(entries);
  });

  it('continues after changes that were restored from a server with higher transaction numbers', async () => {
    const restored = await server.createDatabase();
    const before = await openStore({ database: restored });
    const tenantId = await createTenant(before, 'acme');
    await before.upsert(request(tenantId, ['a', 'b'], 1));
    await before.close();
    await queryOnce(restored, 'update change_set set turn = turn + 5000000000');
    const after = await openStore({ database: restored });
    const old = (await after.feed.page(tenantId, BEGINNING, 10)).entries;
    expect(names(old)).toEqual(['a 1', 'b 1']);
    await after.upsert(request(tenantId, ['a', 'c'], 2));
    expect(names((await after.feed.page(tenantId, old[1]?.position as Position, 10)).entries)).toEqual([
      'a 2',
      'c 1',
    ]);
    expectOrder((await after.feed.page(tenantId, BEGINNING, 10)).entries);
    await after.close();
    const again = await openStore({ database: restored });
    await again.upsert(request(tenantId, ['a'], 3));
    const all = (await again.feed.page(tenantId, BEGINNING, 10)).entries;
    expect(names(all)).toEqual(['a 1', 'b 1', 'a 2', 'c 1', 'a 3']);
    expectOrder(all);
    await again.close();
  });
});

/** Positions increase, and the revisions of each account increase by one. */
function expectOrder(entries: readonly FeedEntry[]): void {
  const places = entries.map(({ position }) => position);
  expect(places).toEqual(places.toSorted((a, b) => a.commitOrder - b.commitOrder || a.seq - b.seq));
  expect(new Set(places.map(({ commitOrder, seq }) => `${commitOrder}-${seq}`)).size).toBe(places.length);
  const revisions = new Map<string, number>();
  for (const { accountId, revision } of entries) {
    expect([accountId, revision]).toEqual([accountId, (revisions.get(accountId) ?? 0) + 1]);
    revisions.set(accountId, revision);
  }
}
