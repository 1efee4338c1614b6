import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.js';
import { RunChanges, type RunSets } from '../runs/run-changes.js';
import { CHANGE_KINDS, type KindCounts, setOf } from '../schema/change-set.js';
import { BEGINNING, comparePositions, type Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';
import { ChangeFeed } from './change-feed.js';
import { FieldUsage } from './field-usage.js';
import { PeriodCounts } from './period-counts.js';
import { POSITION_COLUMNS, setsAfter } from './sets-after.js';

/** Sets that are added up before a commit, because commits compete with account writes. */
const SETS_PER_COMMIT = 5_000;
const MINUTE_MS = 60_000;

const KIND_COLUMNS = CHANGE_KINDS.map((kind) => sql.ref(kind));
const SUMS = KIND_COLUMNS.map((column) => sql`cast(sum(${column}) as bigint) as ${column}`);

/**
 * Updates the statistics of a tenant from its change sets, so that account writes never wait for a shared counter. The
 * table `tally` stores the position up to which sets are counted:
 *
 *   summaries of change sets ──after the stored position──▶ add up ──▶ one transaction: new position + counts
 *
 * - Position and counts are stored in one transaction, so a crash neither loses nor repeats a change.
 * - The transaction stores nothing if the position has moved since it was read: another process counted the same sets.
 * - The database adds up the summaries, and reads no changes for it.
 */
export class StatisticsUpdate {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;
  readonly #feed: ChangeFeed;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
    this.#feed = new ChangeFeed(db, dialect);
  }

  /** Counts all changes that are readable now; false if there are others that cannot be read yet. */
  async catchUp(tenantId: number, now: number): Promise<boolean> {
    // Not what comes meanwhile: each run has a cost of its own.
    const { commitOrder, seq } = await this.#feed.end(tenantId);
    const lastSet = { commitOrder, seq: setOf(seq) };
    for (;;) {
      const from = await this.#position(tenantId);
      const to = comparePositions(from, lastSet) < 0 ? await this.#nextPosition(tenantId, from) : undefined;
      const isStored =
        to !== undefined &&
        (await this.#store(tenantId, { from, to, counts: await this.#count(tenantId, from, to), now }));
      if (!isStored) return !(await this.#feed.hasMore(tenantId, from));
    }
  }

  /** The last of the next sets that are readable now; undefined if there is none. */
  async #nextPosition(tenantId: number, from: Position): Promise<Position | undefined> {
    const where = sql`turn < ${this.#dialect.feedHorizon}`;
    const next = setsAfter(tenantId, POSITION_COLUMNS, {
      from,
      direction: 'asc',
      limit: SETS_PER_COMMIT,
      where,
    });
    const { rows } = await sql<Position>`
      select * from (${next}) as next order by "commitOrder" desc, seq desc limit 1
    `.execute(this.#db);
    return rows[0];
  }

  async #count(tenantId: number, from: Position, to: Position): Promise<Counts> {
    const counts = {
      accounts: 0,
      archived: 0,
      periods: new PeriodCounts(),
      fields: new FieldUsage(),
      runs: new RunChanges(),
    };
    const sets = (columns: ReturnType<typeof sql>) =>
      setsAfter(tenantId, sql`${POSITION_COLUMNS}, ${columns}`, {
        from,
        direction: 'asc',
        limit: SETS_PER_COMMIT,
        where: sql`(turn, seq) <= (${to.commitOrder}, ${to.seq})`,
      });
    const minutes = await sql<{ minute: number; runId: number | null } & KindCounts & Bounds>`
      select at - at % ${sql.lit(MINUTE_MS)} as minute, run_id as "runId", ${sql.join(SUMS)},
        min("commitOrder") as "firstTurn", min(seq) as "firstSeq", max("commitOrder") as "lastTurn",
        max(seq) as "lastSeq"
      from (${sets(sql`at, run_id, ${sql.join(KIND_COLUMNS)}`)}) as sets group by 1, 2
    `.execute(this.#db);
    for (const { minute, runId, ...sum } of minutes.rows) {
      const { created, archived, restored, deleted } = sum;
      if (runId !== null) counts.runs.addSets({ runId, ...sum });
      counts.accounts += created - archived + restored - deleted;
      counts.archived += archived - restored;
      for (const kind of CHANGE_KINDS) counts.periods.add(minute, kind, sum[kind]);
    }
    // Grouped by shapes as well: SQLite has no aggregate that combines bits. The first names are the first to count.
    const uses = await sql<FieldSum>`
      select f.key as name, cast(f.value ->> 1 as integer) as shapes, run_id as "runId",
        cast(sum(cast(f.value ->> 0 as bigint)) as bigint) as accounts,
        cast(sum(cast(f.value ->> 2 as bigint)) as bigint) as changes
      from (${sets(sql`run_id, fields`)}) as sets cross join ${this.#dialect.members('sets.fields')} as f
      group by 1, 2, 3 order by min(sets.seq), 1
    `.execute(this.#db);
    for (const { name, accounts, shapes, runId, changes } of uses.rows) {
      counts.fields.add(name, accounts, shapes);
      if (runId !== null) counts.runs.addField(runId, name, changes ?? 0);
    }
    await counts.fields.dropSurplus(this.#db, tenantId);
    return counts;
  }

  /** False if another process has counted the same changes. */
  #store(
    tenantId: number,
    { from, to, counts, now }: { from: Position; to: Position; counts: Counts; now: number },
  ): Promise<boolean> {
    return this.#db.transaction().execute(async (db) => {
      // The first statement has to write: it takes the write lock.
      const moved = await db
        .updateTable('tally')
        .set({
          turn: to.commitOrder,
          seq: to.seq,
          accounts: sql`accounts + ${counts.accounts}`,
          archived: sql`archived + ${counts.archived}`,
        })
        .where('tenant_id', '=', tenantId)
        .where('turn', '=', from.commitOrder)
        .where('seq', '=', from.seq)
        .executeTakeFirst();
      if (moved.numUpdatedRows === 0n) return false;
      await counts.periods.store(db, tenantId, now);
      await counts.fields.store(db, tenantId);
      await counts.runs.store(db, tenantId);
      return true;
    });
  }

  async #position(tenantId: number): Promise<Position> {
    const query = this.#db.selectFrom('tally').select(['turn as commitOrder', 'seq']);
    const found = await query.where('tenant_id', '=', tenantId).executeTakeFirst();
    if (found !== undefined) return found;
    await this.#db
      .insertInto('tally')
      .columns(['tenant_id', 'turn', 'seq', 'accounts'])
      // From `tenant`, so that a tenant that was removed meanwhile gets no row.
      .expression((from) =>
        from
          .selectFrom('tenant')
          .select(({ lit, ref }) => [
            ref('id').as('tenant_id'),
            lit(BEGINNING.commitOrder).as('turn'),
            lit(BEGINNING.seq).as('seq'),
            lit(0).as('accounts'),
          ])
          .where('id', '=', tenantId),
      )
      .onConflict((conflict) => conflict.column('tenant_id').doNothing())
      .execute();
    return BEGINNING;
  }
}

type Bounds = Pick<RunSets, 'firstTurn' | 'firstSeq' | 'lastTurn' | 'lastSeq'>;

interface FieldSum {
  readonly name: string;
  readonly shapes: number;
  readonly runId: number | null;
  readonly accounts: number;
  /** Null if the sets were written before changes were counted. */
  readonly changes: number | null;
}

interface Counts {
  /** Without archived ones. */
  accounts: number;
  archived: number;
  readonly periods: PeriodCounts;
  readonly fields: FieldUsage;
  readonly runs: RunChanges;
}
