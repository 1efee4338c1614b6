import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { DAY_MS, oldestKept } from '../../domain/tenant.js';
import { fitting, sizeOf } from '../bounded-read.js';
import { CHANGES, POSITION_COLUMNS, setsAfter } from '../changes/sets-after.js';
import type { Dialect } from '../dialect.js';
import { NUMBERS_PER_SET } from '../schema/change-set.js';
import { BEGINNING, type Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';
import { OldChanges, type PrunedSet } from './old-changes.js';

/** Changes that one step reads, and at most removes: account writes may wait for its transaction. */
const CHANGES_PER_STEP = 256;
/** A listing by last change that started before an account changed still finds the account at its previous change. */
const GRACE_MS = DAY_MS;
/** Every pass reads all old sets again: a change that was the last of its account may have been superseded since. */
const PASS_INTERVAL_MS = DAY_MS / 4;

export interface HistoryStep {
  readonly removed: number;
  /** Where the next step continues; undefined if the pass is complete, or another process has continued it. */
  readonly position: Position | undefined;
}

interface Pass extends Position {
  readonly days: number;
}

interface SetHeader extends Position {
  readonly at: number;
  readonly changes: number;
  readonly size: number;
}

/** Another process has changed a set or an account since it was read: the step is undone, and a later pass repeats it. */
class Overtaken extends Error {}

/**
 * Removes changes that are older than their tenant keeps them. A pass reads the change sets from the first one on in
 * short steps; the table `pruning` stores the position of the pass, so that all servers of a database share one pass.
 *
 *   waiting until next_at ──▶ step, step, … (position moves) ──▶ first set that is not old: waiting again
 *
 * - The last change of each account stays: the feed and listings by last change find the account by it.
 * - The history of an account has no gaps: a change stays while the one before it does (`OldChanges`).
 * - A pass goes no further than the statistics have counted, so no change is removed uncounted.
 * - A step removes nothing if the stored position has moved: another process has done the step.
 */
export class HistoryPruning {
  readonly #db: Kysely<Tables>;
  readonly #oldChanges: OldChanges;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#oldChanges = new OldChanges(db, dialect);
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
    const sets = await this.#sets(tenantId, pass);
    const old = sets.filter(({ at }) => at < oldest);
    const checked = sets.slice(0, fittingChanges(sets));
    const isAll = checked.length === sets.length && sets.length < CHANGES_PER_STEP;
    const isEnd = isAll || checked.every((set) => !old.includes(set));
    const last = isEnd ? undefined : checked.at(-1);
    const position = last && { commitOrder: last.commitOrder, seq: last.seq };
    const pruned = await this.#oldChanges.prune(
      tenantId,
      checked.filter((set) => old.includes(set)).map(({ seq }) => seq),
      now - GRACE_MS,
    );
    const removed = await this.#remove(tenantId, pass, position, pruned, now);
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

  async #sets(tenantId: number, from: Position): Promise<readonly SetHeader[]> {
    const columns = sql`${POSITION_COLUMNS}, at, ${CHANGES} as changes, ${sizeOf('entries')} as size`;
    // An active webhook may be some days behind.
    const where = sql`
      (turn, seq) <= (select turn, seq from tally where tenant_id = ${tenantId}) and not exists (
        select 1 from webhook as w where w.tenant_id = ${tenantId} and w.state = 'active'
          and (w.turn, w.seq) < (change_set.turn, change_set.seq + ${sql.lit(NUMBERS_PER_SET - 1)})
      )`;
    const range = { from, direction: 'asc', limit: CHANGES_PER_STEP, where } as const;
    return (await setsAfter<SetHeader>(tenantId, columns, range).execute(this.#db)).rows;
  }

  /** Ends the pass if `to` is undefined. Returns undefined if another process has continued the pass. */
  async #remove(
    tenantId: number,
    from: Pass,
    to: Position | undefined,
    sets: readonly PrunedSet[],
    now: number,
  ): Promise<number | undefined> {
    const work = async (db: Transaction<Tables>, pruned: readonly PrunedSet[]) => {
      if (!(await movePass(db, tenantId, from, to, now))) return undefined;
      if (!(await this.#oldChanges.store(db, tenantId, pruned))) throw new Overtaken();
      return pruned.reduce((sum, { removed }) => sum + removed, 0);
    };
    try {
      return await this.#db.transaction().execute((db) => work(db, sets));
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      return this.#db.transaction().execute((db) => work(db, []));
    }
  }
}

/** False if another process has continued the pass. The first statement of a transaction has to write, as this does. */
async function movePass(
  db: Transaction<Tables>,
  tenantId: number,
  from: Pass,
  to: Position | undefined,
  now: number,
): Promise<boolean> {
  const { commitOrder, seq } = to ?? BEGINNING;
  const moved = await db
    .updateTable('pruning')
    .set({ turn: commitOrder, seq, next_at: to === undefined ? now + PASS_INTERVAL_MS : 0 })
    .where('tenant_id', '=', tenantId)
    .where('days', '=', from.days)
    .where('turn', '=', from.commitOrder)
    .where('seq', '=', from.seq)
    .where(isDue(now))
    .executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

/** How many sets fit into a step: at least one, if there is one. */
function fittingChanges(sets: readonly SetHeader[]): number {
  let changes = 0;
  const end = sets.findIndex((set) => {
    changes += set.changes;
    return changes > CHANGES_PER_STEP;
  });
  return Math.min(end === -1 ? sets.length : Math.max(end, 1), fitting(sets));
}

/** A `next_at` further ahead than one interval was set by a clock that was wrong. */
function isDue(now: number): RawBuilder<boolean> {
  return sql`(next_at <= ${now} or next_at > ${now + PASS_INTERVAL_MS})`;
}

function isSame(one: Position, other: Position): boolean {
  return one.commitOrder === other.commitOrder && one.seq === other.seq;
}
