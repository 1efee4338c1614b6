import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isAmongSets } from '../changes/sets-after.js';
import type { Dialect } from '../dialect.js';
import { eraseLines, headOf, linesOf, NUMBERS_PER_SET, setOf } from '../schema/change-set.js';
import type { Tables } from '../schema/tables.js';

/**
 * Finished rows stay for this long: a reader may have read a set before its values were erased, and rejections of a
 * deleted account may be recorded late (`Rejections`).
 */
const FINISHED_FOR_MS = 10 * 60_000;
/** Finished rows that one step removes. */
const ROWS_PER_STEP = 500;

/** No change has this number. */
const NONE = -1;

/** A deleted account, and the change of it that is to be erased next. */
interface Pending {
  readonly accountId: string;
  readonly nextSeq: number;
}

/**
 * Erases the values of deleted accounts from their history. Accounts that were written together share change sets, so
 * deletions are gathered in the table `erasure`, with the next change to erase of each account. A step takes the newest
 * set that any of them has left, erases all their changes in it, and moves each account on to its previous change. So a
 * set is rewritten once, however many of its accounts were deleted.
 *
 * - Numbers of changes decrease along a chain, so no account returns to a set that a step has left.
 * - A step changes nothing if the set has changed since it was read; the next step reads it again.
 * - `hidePending` keeps readers from seeing values that are still to be erased.
 */
export class HistoryErasure {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  /** Tenants with values to erase, or with finished rows to remove. */
  async due(now: number): Promise<number[]> {
    const isPending = sql`next_seq is not null`;
    const isOld = sql`erased_at < ${now - FINISHED_FOR_MS}`;
    const one = (condition: RawBuilder<unknown>) =>
      sql`(select 1 from erasure where tenant_id = tenant.id and ${condition} limit 1)`;
    const { rows } = await sql<{ id: number }>`
      select id from tenant where coalesce(${one(isPending)}, ${one(isOld)}) = 1
    `.execute(this.#db);
    return rows.map(({ id }) => id);
  }

  /** Returns whether nothing is left to do. */
  async step(tenantId: number, now: number): Promise<boolean> {
    const newest = await this.#db
      .selectFrom('erasure')
      .select('next_seq')
      .where('tenant_id', '=', tenantId)
      .where('next_seq', 'is not', null)
      .orderBy('next_seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (newest === undefined) return this.#removeFinished(tenantId, now);
    const set = setOf(newest.next_seq ?? 0);
    const pending = await this.#pendingIn(tenantId, set);
    // Empty if another process has done the step.
    if (pending.length > 0) await this.#eraseIn(tenantId, set, pending, now);
    return false;
  }

  async #pendingIn(tenantId: number, set: number): Promise<Pending[]> {
    const rows = await this.#db
      .selectFrom('erasure')
      .select(['account_id', 'next_seq'])
      .where('tenant_id', '=', tenantId)
      .where('next_seq', '>=', set)
      .where('next_seq', '<', set + NUMBERS_PER_SET)
      .execute();
    return rows.map(({ account_id, next_seq }) => ({ accountId: account_id, nextSeq: next_seq ?? 0 }));
  }

  async #eraseIn(tenantId: number, set: number, pending: readonly Pending[], now: number): Promise<void> {
    const stored = await this.#db
      .selectFrom('change_set')
      .select('entries')
      .where(isAmongSets(tenantId, [set]))
      .executeTakeFirst();
    const entries = stored?.entries ?? new Uint8Array();
    const heads = new Map(Array.from(linesOf(set, entries), (line) => [line.seq, headOf(line.text)]));
    const erased = new Set<number>();
    const moves = pending.map(({ accountId, nextSeq }) => {
      // A request may have changed an account more than once. Where retention has removed a change, the chain ends.
      let next = nextSeq;
      for (let head = heads.get(next); head !== undefined && !erased.has(next); head = heads.get(next)) {
        erased.add(next);
        next = head.previous?.seq ?? NONE;
      }
      return { accountId, nextSeq, next: next === NONE || setOf(next) === set ? null : next };
    });
    await this.#db.transaction().execute(async (db) => {
      // Also if there was nothing to erase: it makes another process with the same step wait.
      if (stored !== undefined) {
        const { numUpdatedRows } = await db
          .updateTable('change_set')
          .set({ entries: eraseLines(set, entries, erased) })
          .where(isAmongSets(tenantId, [set]))
          .where('entries', '=', entries)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return;
      }
      const values = moves.map(
        ({ accountId, nextSeq, next }) =>
          sql`(cast(${accountId} as text), cast(${nextSeq} as bigint), cast(${next} as bigint))`,
      );
      // A row that another deletion has set anew keeps its value. The range is for the planner of PostgreSQL.
      await sql`
        update erasure set next_seq = v.column3, erased_at = case when v.column3 is null then cast(${now} as bigint) end
        from (values ${sql.join(values)}) as v
        where tenant_id = ${tenantId} and account_id = v.column1 and next_seq = v.column2
          and next_seq >= ${set} and next_seq < ${set + NUMBERS_PER_SET}
      `.execute(db);
    });
  }

  async #removeFinished(tenantId: number, now: number): Promise<boolean> {
    const page = sql`
      from erasure where tenant_id = ${tenantId} and next_seq is null and erased_at < ${now - FINISHED_FOR_MS}
      limit ${ROWS_PER_STEP}`;
    const { rows } = await sql`
      delete from erasure where ${this.#dialect.isAmong(page)} returning 1
    `.execute(this.#db);
    return rows.length < ROWS_PER_STEP;
  }
}
