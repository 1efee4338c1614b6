import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { DAY_MS, oldestKept } from '../../domain/tenant.js';
import { fitting, sizeOf } from '../bounded-read.js';
import { BEGINNING, changesAfter, POSITION_COLUMNS, type Position } from '../changes/changes-after.js';
import type { Dialect, HistoryKey } from '../dialect.js';
import type { Tables } from '../schema/tables.js';

/** Entries that one step reads, and at most removes: account writes may wait for its transaction. */
const ENTRIES_PER_STEP = 250;
/** A listing by last change that started before an account changed still finds the account at its previous change. */
const GRACE_MS = DAY_MS;
/** Every pass reads all old entries again: an entry that was the last of its account may have been superseded since. */
const PASS_INTERVAL_MS = DAY_MS / 4;

export interface HistoryStep {
  readonly removed: number;
  /** Where the next step continues; undefined if the pass is complete, or another process has continued it. */
  readonly position: Position | undefined;
}

interface Pass extends Position {
  readonly days: number;
}

interface OldEntry extends Position, HistoryKey {
  readonly at: number;
  /** When the next change of the account was made; null if there is none, or if the entry is not old enough anyway. */
  readonly superseded_at: number | null;
  readonly size: number;
}

/**
 * Removes changes that are older than their tenant keeps them. A pass reads the change feed from its start in short
 * steps; the table `pruning` stores the position of the pass, so that all servers of a database share one pass.
 *
 *   waiting until next_at ──▶ step, step, … (position moves) ──▶ first entry that is not old: waiting again
 *
 * - The last change of each account stays: the feed and listings by last change find the account by it.
 * - A pass goes no further than the statistics have counted, so no change is removed uncounted.
 * - A step removes nothing if the stored position has moved: another process has done the step.
 */
export class HistoryPruning {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  /** Tenants with a pass to start or to continue. */
  async due(now: number): Promise<number[]> {
    const rows = await this.#db
      .selectFrom('tenant')
      .leftJoin('pruning', 'pruning.tenant_id', 'tenant.id')
      .select('tenant.id')
      .where('history_days', 'is not', null)
      .where(({ or, eb, ref }) =>
        or([eb('pruning.days', 'is', null), eb('pruning.days', '<>', ref('history_days')), isDue(now)]),
      )
      .execute();
    return rows.map(({ id }) => id);
  }

  /** `from` is the position after the previous step, if this process has done that step. */
  async step(tenantId: number, now: number, from?: Position): Promise<HistoryStep> {
    if (from === undefined) await this.#startPass(tenantId);
    const pass = await this.#currentPass(tenantId, now);
    const isOurs = pass !== undefined && (from === undefined || isSame(pass, from));
    if (!isOurs) return { removed: 0, position: undefined };
    const oldest = oldestKept(now, pass.days);
    const entries = await this.#entries(tenantId, pass, oldest);
    const isRemovable = ({ superseded_at }: OldEntry) =>
      superseded_at !== null && superseded_at < now - GRACE_MS;
    const checked = entries.slice(
      0,
      fitting(entries.map((entry) => ({ size: isRemovable(entry) ? entry.size : 0 }))),
    );
    const isAll = checked.length === entries.length && entries.length < ENTRIES_PER_STEP;
    const isEnd = isAll || checked.every(({ at }) => at >= oldest);
    const last = isEnd ? undefined : checked.at(-1);
    const position = last && { commitOrder: last.commitOrder, seq: last.seq };
    const removed = await this.#remove(tenantId, pass, position, checked.filter(isRemovable), now);
    return removed === undefined ? { removed: 0, position: undefined } : { removed, position };
  }

  /** Starts at the first change if the tenant has no pass yet, or if its number of days has changed since. */
  async #startPass(tenantId: number): Promise<void> {
    const { commitOrder, seq } = BEGINNING;
    await sql`
      insert into pruning (tenant_id, days, turn, seq, next_at)
      select id, history_days, ${sql.lit(commitOrder)}, ${sql.lit(seq)}, 0 from tenant
      where id = ${tenantId} and history_days is not null
      on conflict (tenant_id) do update
      set days = excluded.days, turn = excluded.turn, seq = excluded.seq, next_at = excluded.next_at
      where pruning.days <> excluded.days
    `.execute(this.#db);
  }

  #currentPass(tenantId: number, now: number): Promise<Pass | undefined> {
    return this.#db
      .selectFrom('pruning')
      .innerJoin('tenant', (join) =>
        join.onRef('tenant.id', '=', 'tenant_id').onRef('history_days', '=', 'days'),
      )
      .select(['days', 'turn as commitOrder', 'seq'])
      .where('tenant_id', '=', tenantId)
      .where(isDue(now))
      .executeTakeFirst();
  }

  async #entries(tenantId: number, from: Position, oldest: number): Promise<readonly OldEntry[]> {
    const columns = sql`${POSITION_COLUMNS}, account_id, revision, at, ${sizeOf('changes')} as size`;
    const where = sql`(turn, seq) <= (select turn, seq from tally where tenant_id = ${tenantId})`;
    const range = { from, direction: 'asc', limit: ENTRIES_PER_STEP, where } as const;
    const { rows } = await sql<OldEntry>`
      select h.*, case when h.at < ${oldest} then (
        select n.at from account_history as n
        where n.tenant_id = ${tenantId} and n.account_id = h.account_id and n.revision > h.revision
        order by n.revision limit 1
      ) end as superseded_at
      from (${changesAfter(tenantId, columns, range)}) as h order by h."commitOrder", h.seq
    `.execute(this.#db);
    return rows;
  }

  /** Ends the pass if `to` is undefined. Returns undefined if another process has continued the pass. */
  #remove(
    tenantId: number,
    from: Pass,
    to: Position | undefined,
    entries: readonly OldEntry[],
    now: number,
  ): Promise<number | undefined> {
    const nextAt = to === undefined ? now + PASS_INTERVAL_MS : 0;
    const { commitOrder, seq } = to ?? BEGINNING;
    return this.#db.transaction().execute(async (db) => {
      // The first statement has to write: it takes the write lock.
      const moved = await db
        .updateTable('pruning')
        .set({ turn: commitOrder, seq, next_at: nextAt })
        .where('tenant_id', '=', tenantId)
        .where('days', '=', from.days)
        .where('turn', '=', from.commitOrder)
        .where('seq', '=', from.seq)
        .where(isDue(now))
        .executeTakeFirst();
      if (moved.numUpdatedRows === 0n) return undefined;
      return removeEntries(db, this.#dialect, tenantId, entries);
    });
  }
}

/** A `next_at` further ahead than one interval was set by a clock that was wrong. */
function isDue(now: number): RawBuilder<boolean> {
  return sql`(next_at <= ${now} or next_at > ${now + PASS_INTERVAL_MS})`;
}

function isSame(one: Position, other: Position): boolean {
  return one.commitOrder === other.commitOrder && one.seq === other.seq;
}

/** Deletes entries from the history of a tenant. Returns how many were deleted. */
export async function removeEntries(
  db: Transaction<Tables>,
  dialect: Dialect,
  tenantId: number,
  entries: readonly HistoryKey[],
): Promise<number> {
  if (entries.length === 0) return 0;
  return (await dialect.deleteHistory(tenantId, entries).execute(db)).rows.length;
}
