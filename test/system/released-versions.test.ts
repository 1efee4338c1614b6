import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { decodeLine, linesOf } from '../../dist/store/schema/change-set.js';
import { allMigrations } from '../../dist/store/schema/migrations.js';
import { BEGINNING } from '../../dist/store/schema/position.js';
import type { Database } from '../support/databases.js';
import { type Dump, dumpTables } from '../support/dump-tables.js';
import { RELEASED, RELEASED_KEY, releasedDatabase } from '../support/released-database.js';
import { Service } from '../support/service.js';
import { problemsIn } from '../support/verified.js';

/** Tables with progress markers, not with stored data; and the history, which has another form since. */
const OTHERS = ['schema_migration', 'configuration', 'sqlite_sequence', 'account_history'];

/** The rows of the tables of the old version, without later columns. The statistics count to a new number. */
function asBefore(after: Dump, before: Dump): Dump {
  const tables = Object.entries(before).filter(([table]) => !OTHERS.includes(table));
  return Object.fromEntries(
    tables.map(([table, rows]) => {
      const columns = Object.keys(JSON.parse(rows[0] ?? '{}')).filter(
        (column) => table !== 'tally' || column !== 'seq',
      );
      const pick = (row: string) => {
        const values = JSON.parse(row);
        return JSON.stringify(Object.fromEntries(columns.map((column) => [column, values[column]])));
      };
      return [table, (after[table] ?? []).map(pick).sort()];
    }),
  );
}

/** The changes of a released version, in the order of its feed. */
function historyBefore(dump: Dump) {
  return inOrder(dump.account_history).map(({ kind, changes, ...row }) => ({
    ...commonOf(row),
    accountId: row.account_id,
    revision: row.revision,
    kind: kind?.replace(/^(erased )+/, '') ?? (row.revision === 1 ? 'created' : 'updated'),
    isErased: /^(erased|deleted)/.test(kind ?? ''),
    changes: JSON.parse(changes),
  }));
}

function historyAfter(dump: Dump) {
  return inOrder(dump.change_set).flatMap(({ entries, ...set }) =>
    Array.from(linesOf(Number(set.seq), Uint8Array.from(entries.data ?? Object.values(entries))), (line) => {
      const { accountId, revision, kind, isErased, changes } = decodeLine(line);
      return { ...commonOf(set), accountId, revision, kind, isErased, changes };
    }),
  );
}

function inOrder(rows: readonly string[] = []) {
  const order = ({ tenant_id, turn = 0, seq }: Record<string, number>) => [tenant_id, turn, seq].map(Number);
  const difference = (one: readonly number[], other: readonly number[]) =>
    one.map((value, i) => value - (other[i] ?? 0)).find((value) => value !== 0) ?? 0;
  return rows.map((row) => JSON.parse(row)).sort((a, b) => difference(order(a), order(b)));
}

function commonOf({ tenant_id, at, request_id, key_id }: Record<string, number | string>) {
  return { tenant_id, at, request_id, key_id };
}

describe.each(RELEASED)('a database of version %s on %s', (version, kind, schema) => {
  const hasDeletions = schema > 1;
  let database: Database;
  let before: Dump;
  let after: Dump;
  beforeAll(async () => {
    database = await releasedDatabase(version, kind);
    before = await dumpTables(database.url);
    await (await openStore({ database: database.url })).close();
    after = await dumpTables(database.url);
  });
  afterAll(() => database.remove());

  it('has its own schema, and then that of this version', () => {
    const versions = (dump: Dump) =>
      dump.schema_migration?.map((row) => Number(JSON.parse(row).version)).sort((one, other) => one - other);
    expect(versions(before)).toEqual(Array.from({ length: schema }, (_, i) => i + 1));
    expect(versions(after)).toEqual(allMigrations.map((_, i) => i + 1));
  });

  it('keeps every row with every value', () => {
    expect(before.account).toHaveLength(43);
    expect(before.account_history).toHaveLength(hasDeletions ? 66 : 60);
    expect(before.api_key).toHaveLength(3);
    expect(asBefore(after, before)).toEqual(asBefore(before, before));
    expect(historyAfter(after)).toEqual(historyBefore(before));
  });

  it('is read unchanged', async () => {
    const store = await openStore({ database: database.url });
    const tenant = await store.directory.findTenant({ name: 'default' });
    expect(
      tenant?.attributes.map(({ name, type, choices, readOnly }) => [name, type, choices, readOnly]),
    ).toEqual([
      ['custom_Owner', 'text', [], true],
      ['custom_Score', 'decimal', [], false],
      ['custom_Tier', 'choice', ['gold', 'größer'], false],
    ]);
    expect(tenant?.blockedPatterns).toEqual(['*.invalid.example', 'test']);
    expect(await store.directory.findTenant({ name: 'acme-corp' })).toMatchObject({
      accountIds: 'domain',
      undeclaredFields: 'reject',
      hosts: ['sync.acme.example'],
    });
    const id = tenant?.id ?? 0;
    expect((await store.accounts.find(id, 'acme-1'))?.fields).toEqual({
      custom_Tier: 'größer',
      custom_Score: 12.5,
      custom_Is_Valid: true,
      custom_External_Created_On: '2021-05-31',
      custom_External_Created_At: '2021-05-31T08:20:30.000Z',
      licenses: 9_007_199_254_740_991,
      parent_account_id: 'root-ß',
      name: 'Äcme "quoted" \\ \n\u2028 it\'s',
    });
    expect(
      (await store.history.read(id, 'acme-1')).map(({ kind, changes }) => [kind, Object.keys(changes)]),
    ).toEqual([
      ['created', ['name', 'licenses', 'custom_Tier', 'custom_Score', 'custom_Is_Valid']],
      ['updated', ['parent_account_id', 'name']],
      ['updated', ['licenses', 'custom_Tier', 'custom_External_Created_On', 'custom_External_Created_At']],
      ['updated', ['licenses']],
    ]);
    const busy = await store.accounts.find(id, 'busy');
    expect(busy?.revision).toBe(hasDeletions ? 15 : 12);
    expect((await store.feed.page(id, BEGINNING, 1_000)).entries.length).toBe(hasDeletions ? 64 : 58);
    await store.close();
  });

  it('passes verification, accepts writes with its old key, and passes again', async () => {
    expect(await problemsIn(database.url)).toEqual([]);
    const service = await Service.start(database.settings);
    const response = await fetch(`${service.url}/api/v1_1/account`, {
      method: 'POST',
      headers: { authorization: `Bearer ${RELEASED_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ account_id: 'ACME-1', name: 'written by this version' }),
    });
    expect([response.status, response.headers.get('account-sync-result')]).toEqual([200, 'updated']);
    await service.stop();
    expect(await problemsIn(database.url)).toEqual([]);
  });
});
