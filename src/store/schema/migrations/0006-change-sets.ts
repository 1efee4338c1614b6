import { setImmediate } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { FieldChanges } from '../../../domain/account.js';
import type { DialectName } from '../../dialect.js';
import {
  type ChangeKind,
  type ChangePointer,
  type ChangeSet,
  NUMBERS_PER_SET,
  SETS_PER_BLOCK,
} from '../change-set.js';
import { ChangeSetBuilder } from '../change-set-builder.js';
import type { Tables } from '../tables.js';

/**
 * History by request instead of by change: `account_history` becomes `change_set`. Versions before it cannot run beside
 * this one. The conversion reads the changes of each tenant in the order of the feed, in bounded pages, all in the
 * transaction of the migration. Counted changes stay counted: a set never contains changes on both sides of the
 * position of the statistics.
 */
export async function changeSets(
  db: Kysely<Tables>,
  dialect: DialectName,
  report: (done: number, total: number) => void,
): Promise<void> {
  const run = (statement: RawBuilder<unknown>) => statement.execute(db);
  for (const statement of TABLES[dialect]) await run(statement);
  // In SQLite `seq` is the rowid, which follows the columns of every index.
  const order = dialect === 'sqlite' ? sql`tenant_id, turn` : sql`tenant_id, turn, seq`;
  await run(sql`create index change_set_feed on change_set (${order})`);
  await run(sql`create index change_set_time on change_set (tenant_id, at)`);
  await run(sql`create index erasure_by_change on erasure (tenant_id, next_seq) where next_seq is not null`);
  const numbers = new SetNumbers();
  const total = await countChanges(db);
  let done = 0;
  const onConverted = (changes: number) => {
    done += changes;
    report(done, total);
  };
  for (let tenant = await nextTenant(db, 0); tenant !== null; tenant = await nextTenant(db, tenant)) {
    await new Conversion(db, dialect, tenant, numbers).run(onConverted);
  }
  if (dialect === 'postgres') await run(sql`select setval('change_set_seq', ${numbers.next()})`);
  // A pass over the old history starts again at its beginning.
  await run(sql`update pruning set turn = 0, seq = 0`);
  await run(sql`drop table account_history`);
}

const TABLES: Record<DialectName, readonly RawBuilder<unknown>[]> = {
  sqlite: [
    sql`alter table account add column first_change integer`,
    sql`alter table account add column last_change integer`,
    sql`alter table account add column last_place integer`,
    sql`
      create table change_set (
        seq integer primary key autoincrement, tenant_id integer not null, turn integer not null,
        at integer not null, request_id text not null, key_id text not null, created integer not null,
        updated integer not null, deleted integer not null, fields text not null, entries blob not null
      )`,
    sql`
      create table erasure (
        tenant_id integer not null, account_id text not null, revision integer not null,
        deleted_at integer not null, next_seq integer, erased_at integer, primary key (tenant_id, account_id)
      )`,
  ],
  postgres: [
    sql`
      alter table account add column first_change bigint, add column last_change bigint,
        add column last_place integer`,
    // Room for a second version of some rows of a page, so that an update need not change the indexes.
    sql`alter table account set (fillfactor = 85)`,
    // Only versions that do not know deletions needed it, and none of them can write any more.
    sql`drop trigger account_resurrect on account`,
    sql`drop function account_resurrect()`,
    sql`
      create sequence change_set_seq increment by ${sql.lit(SETS_PER_BLOCK * NUMBERS_PER_SET)}
      start ${sql.lit(NUMBERS_PER_SET)}`,
    sql`
      create table change_set (
        tenant_id integer not null, seq bigint not null, turn bigint not null, at bigint not null,
        created integer not null, updated integer not null, deleted integer not null,
        request_id text collate "C" not null, key_id text collate "C" not null, fields text collate "C" not null,
        entries bytea not null, primary key (seq, tenant_id)
      )`,
    sql`
      create table erasure (
        tenant_id integer not null, account_id text collate "C" not null, revision integer not null,
        deleted_at bigint not null, next_seq bigint, erased_at bigint, primary key (tenant_id, account_id)
      )`,
  ],
};

class SetNumbers {
  #last = 0;

  next(): number {
    this.#last += NUMBERS_PER_SET;
    return this.#last;
  }
}

interface HistoryRow {
  readonly turn: number;
  readonly seq: number;
  readonly account_id: string;
  readonly revision: number;
  readonly at: number;
  readonly request_id: string;
  readonly key_id: string;
  readonly changes: string;
  readonly kind: string | null;
}

interface Link {
  first: number | null;
  last: ChangePointer | null;
}

const PAGE_ROWS = 1_000;
const PAGE_CHARACTERS = 4 * 1024 * 1024;

/** Converts the history of one tenant. */
class Conversion {
  readonly #db: Kysely<Tables>;
  readonly #dialect: DialectName;
  readonly #tenantId: number;
  readonly #numbers: SetNumbers;
  /** The changes of the current request, up to `#previous`. */
  #builder: ChangeSetBuilder | undefined;
  #previous: HistoryRow | undefined;

  constructor(db: Kysely<Tables>, dialect: DialectName, tenantId: number, numbers: SetNumbers) {
    this.#db = db;
    this.#dialect = dialect;
    this.#tenantId = tenantId;
    this.#numbers = numbers;
  }

  async run(onConverted: (changes: number) => void): Promise<void> {
    const counted = await this.#countedTo();
    const isCounted = (row: HistoryRow | undefined) =>
      row !== undefined && (row.turn < counted.turn || (row.turn === counted.turn && row.seq <= counted.seq));
    for (;;) {
      const rows = await this.#page();
      const links = await this.#links(rows);
      for (const row of rows) {
        const hasCrossed = isCounted(this.#previous) && !isCounted(row);
        if (hasCrossed || !isSameRequest(this.#previous, row))
          await this.#finishRequest(isCounted(this.#previous));
        this.#add(row, links.get(row.account_id));
        this.#previous = row;
      }
      if (rows.length === 0) break;
      await this.#storeLinks(links);
      onConverted(rows.length);
      // SQLite's statements never wait. This lets the process write its log, and end at a signal.
      await setImmediate();
    }
    await this.#finishRequest(isCounted(this.#previous));
  }

  #add(row: HistoryRow, link: Link | undefined): void {
    const { at, request_id: requestId, key_id: senderId, account_id: accountId, revision } = row;
    const header = { tenantId: this.#tenantId, at, requestId, senderId };
    this.#builder ??= new ChangeSetBuilder(header, () => this.#numbers.next());
    const changes: FieldChanges = JSON.parse(row.changes);
    const pointer = this.#builder.add({ accountId, revision, ...kindOf(row), changes }, link?.last ?? null);
    if (link === undefined) return;
    link.last = pointer;
    if (revision === 1) link.first = pointer.seq;
  }

  async #finishRequest(isCounted: boolean): Promise<void> {
    const sets = this.#builder?.finish() ?? [];
    const turn = this.#previous?.turn ?? 0;
    this.#builder = undefined;
    for (const set of sets) await this.#insert(set, turn);
    const last = sets.at(-1);
    if (!isCounted || last === undefined) return;
    await sql`update tally set turn = ${turn}, seq = ${last.seq} where tenant_id = ${this.#tenantId}`.execute(
      this.#db,
    );
  }

  async #insert(
    { seq, header, created, updated, deleted, fields, entries }: ChangeSet,
    turn: number,
  ): Promise<void> {
    const { tenantId: tenant_id, at, requestId: request_id, senderId: key_id } = header;
    const counts = { created, updated, deleted };
    await this.#db
      .insertInto('change_set')
      .values({ tenant_id, seq, turn, at, request_id, key_id, ...counts, fields, entries })
      .execute();
  }

  /** Two parts: SQLite would not use its index for a comparison of both columns at once. */
  async #page(): Promise<HistoryRow[]> {
    const { turn = -1, seq = 0 } = this.#previous ?? {};
    const part = (condition: RawBuilder<unknown>) => sql`
      select * from (
        select turn, seq, account_id, revision, at, request_id, key_id, changes, kind from account_history
        where tenant_id = ${this.#tenantId} and ${condition} order by turn, seq limit ${PAGE_ROWS}
      ) as part`;
    const { rows } = await sql<HistoryRow>`
      select turn, seq, account_id, revision, at, request_id, key_id, changes, kind from (
        select page.*, sum(length(changes)) over (order by turn, seq) - length(changes) as before_it from (
          ${part(sql`turn = ${turn} and seq > ${seq}`)} union all ${part(sql`turn > ${turn}`)}
          order by turn, seq limit ${PAGE_ROWS}
        ) as page
      ) as sized where before_it < ${PAGE_CHARACTERS} order by turn, seq
    `.execute(this.#db);
    return rows;
  }

  async #countedTo(): Promise<{ turn: number; seq: number }> {
    const query = this.#db
      .selectFrom('tally')
      .select(['turn', 'seq'])
      .where('tenant_id', '=', this.#tenantId);
    return (await query.executeTakeFirst()) ?? { turn: 0, seq: 0 };
  }

  async #links(rows: readonly HistoryRow[]): Promise<Map<string, Link>> {
    if (rows.length === 0) return new Map();
    const accounts = await this.#db
      .selectFrom('account')
      .select(['account_id', 'first_change', 'last_change', 'last_place'])
      .where('tenant_id', '=', this.#tenantId)
      .where('account_id', 'in', [...new Set(rows.map(({ account_id }) => account_id))])
      .execute();
    return new Map(
      accounts.map(({ account_id, first_change, last_change, last_place }) => [
        account_id,
        {
          first: first_change,
          last: last_change === null ? null : { seq: last_change, place: last_place ?? 0 },
        },
      ]),
    );
  }

  /** With the tenant in each row: SQLite would otherwise read all its accounts, and look for each in the page. */
  async #storeLinks(links: ReadonlyMap<string, Link>): Promise<void> {
    const rows = JSON.stringify(
      [...links].map(([id, { first, last }]) => [id, first, last?.seq, last?.place, this.#tenantId]),
    );
    const values =
      this.#dialect === 'sqlite'
        ? sql`
            select value ->> 0 as id, value ->> 1 as first, value ->> 2 as last, value ->> 3 as place,
              value ->> 4 as tenant
            from json_each(${rows})`
        : sql`
            select value ->> 0 as id, (value ->> 1)::bigint as first, (value ->> 2)::bigint as last,
              (value ->> 3)::integer as place, (value ->> 4)::integer as tenant
            from json_array_elements(${rows}::json)`;
    await sql`
      update account set first_change = new.first, last_change = new.last, last_place = new.place
      from (${values}) as new where tenant_id = new.tenant and account_id = new.id
    `.execute(this.#db);
  }
}

function isSameRequest(one: HistoryRow | undefined, other: HistoryRow): boolean {
  return (
    one?.request_id === other.request_id &&
    one.key_id === other.key_id &&
    one.at === other.at &&
    one.turn === other.turn
  );
}

/** Null stands for `created` at the first revision, and `updated` later. Erased changes have the prefix once or twice. */
function kindOf({ kind, revision }: HistoryRow): { kind: ChangeKind; isErased: boolean } {
  if (kind === null) return { kind: revision === 1 ? 'created' : 'updated', isErased: false };
  const isErased = kind === 'deleted' || kind.startsWith('erased ');
  return { kind: kind.replace(/^(?:erased )+/, '') as ChangeKind, isErased };
}

async function countChanges(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select count(*) as changes from account_history`.execute(
    db,
  );
  return Number(rows[0]?.changes ?? 0);
}

async function nextTenant(db: Kysely<Tables>, after: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    select min(tenant_id) as id from account_history where tenant_id > ${after}
  `.execute(db);
  return rows[0]?.id ?? null;
}
