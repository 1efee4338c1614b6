import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { DAY_MS, oldestKept } from '../../domain/tenant.js';
import { fitting, sizeOf } from '../bounded-read.js';
import { BEGINNING, changesAfter, type Position } from '../changes/changes-after.js';
import type { Dialect, HistoryKey } from '../dialect.js';
import type { Tables } from '../schema/tables.js';

/** Looked at in one step, and removed at most in its transaction: writers of accounts may wait for it. */
const ENTRIES_AT_ONCE = 250;
/** A listing by last change that began before an account changed still finds it at the change before that. */
const GRACE_MS = DAY_MS;
/** Each walk looks at all that is old: the last change of an account may not be its last any more. */
const BETWEEN_WALKS_MS = DAY_MS / 4;

export interface HistoryStep {
  readonly removed: number;
  /** Where the walk goes on; undefined where it is over, or others have gone on with it. */
  readonly place: Position | undefined;
}

interface Walk extends Position {
  readonly days: number;
}

interface OldEntry extends Position, HistoryKey {
  readonly at: number;
  /** When the change after it was made; null where there is none, or where the entry is not old enough anyway. */
  readonly superseded_at: number | null;
  readonly size: number;
}

/**
 * Removes changes that are older than a tenant keeps them, but for each account's last one: by that it is found in the
 * feed and in listings by last change. It walks along the feed, no further than that has been counted. The place is
 * stored, so that all servers of a database make one walk.
 */
export class HistoryPruning {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  /** Tenants with a walk to begin, or to go on with. */
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

  /** `from` is where the step before ended, if this process has made it. */
  async step(tenantId: number, now: number, from?: Position): Promise<HistoryStep> {
    if (from === undefined) await this.#begin(tenantId);
    const walk = await this.#walk(tenantId, now);
    const isOurs = walk !== undefined && (from === undefined || isSame(walk, from));
    if (!isOurs) return { removed: 0, place: undefined };
    const oldest = oldestKept(now, walk.days);
    const entries = await this.#entries(tenantId, walk, oldest);
    const isGone = ({ superseded_at }: OldEntry) => superseded_at !== null && superseded_at < now - GRACE_MS;
    const looked = entries.slice(
      0,
      fitting(entries.map((entry) => ({ size: isGone(entry) ? entry.size : 0 }))),
    );
    const isAll = looked.length === entries.length && entries.length < ENTRIES_AT_ONCE;
    const isEnd = isAll || looked.every(({ at }) => at >= oldest);
    const last = isEnd ? undefined : looked.at(-1);
    const place = last && { turn: last.turn, seq: last.seq };
    const removed = await this.#remove(tenantId, walk, place, looked.filter(isGone), now);
    return removed === undefined ? { removed: 0, place: undefined } : { removed, place };
  }

  /** From the beginning, where the tenant has no walk yet or has changed its mind since. */
  async #begin(tenantId: number): Promise<void> {
    const { turn, seq } = BEGINNING;
    await sql`
      insert into pruning (tenant_id, days, turn, seq, next_at)
      select id, history_days, ${sql.lit(turn)}, ${sql.lit(seq)}, 0 from tenant
      where id = ${tenantId} and history_days is not null
      on conflict (tenant_id) do update
      set days = excluded.days, turn = excluded.turn, seq = excluded.seq, next_at = excluded.next_at
      where pruning.days <> excluded.days
    `.execute(this.#db);
  }

  #walk(tenantId: number, now: number): Promise<Walk | undefined> {
    return this.#db
      .selectFrom('pruning')
      .innerJoin('tenant', (join) =>
        join.onRef('tenant.id', '=', 'tenant_id').onRef('history_days', '=', 'days'),
      )
      .select(['days', 'turn', 'seq'])
      .where('tenant_id', '=', tenantId)
      .where(isDue(now))
      .executeTakeFirst();
  }

  async #entries(tenantId: number, from: Position, oldest: number): Promise<readonly OldEntry[]> {
    const columns = sql`turn, seq, account_id, revision, at, ${sizeOf('changes')} as size`;
    const where = sql`(turn, seq) <= (select turn, seq from tally where tenant_id = ${tenantId})`;
    const stretch = { from, direction: 'asc', limit: ENTRIES_AT_ONCE, where } as const;
    const { rows } = await sql<OldEntry>`
      select h.*, case when h.at < ${oldest} then (
        select n.at from account_history as n
        where n.tenant_id = ${tenantId} and n.account_id = h.account_id and n.revision > h.revision
        order by n.revision limit 1
      ) end as superseded_at
      from (${changesAfter(tenantId, columns, stretch)}) as h order by h.turn, h.seq
    `.execute(this.#db);
    return rows;
  }

  /** Undefined where another process has gone on with the walk. Without a place the walk is over. */
  #remove(
    tenantId: number,
    from: Walk,
    place: Position | undefined,
    entries: readonly OldEntry[],
    now: number,
  ): Promise<number | undefined> {
    const nextAt = place === undefined ? now + BETWEEN_WALKS_MS : 0;
    return this.#db.transaction().execute(async (db) => {
      // First of all, since it takes the lock.
      const moved = await db
        .updateTable('pruning')
        .set({ ...(place ?? BEGINNING), next_at: nextAt })
        .where('tenant_id', '=', tenantId)
        .where('days', '=', from.days)
        .where('turn', '=', from.turn)
        .where('seq', '=', from.seq)
        .where(isDue(now))
        .executeTakeFirst();
      if (moved.numUpdatedRows === 0n) return undefined;
      return removeEntries(db, this.#dialect, tenantId, entries);
    });
  }
}

/** What lies further ahead than it is ever set was set by a clock that was wrong. */
function isDue(now: number): RawBuilder<boolean> {
  return sql`(next_at <= ${now} or next_at > ${now + BETWEEN_WALKS_MS})`;
}

function isSame(one: Position, other: Position): boolean {
  return one.turn === other.turn && one.seq === other.seq;
}

/** Takes entries out of the history of a tenant, and tells how many. */
export async function removeEntries(
  db: Transaction<Tables>,
  dialect: Dialect,
  tenantId: number,
  entries: readonly HistoryKey[],
): Promise<number> {
  if (entries.length === 0) return 0;
  return (await dialect.deleteHistory(tenantId, entries).execute(db)).rows.length;
}
