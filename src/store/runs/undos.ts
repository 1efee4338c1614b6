import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../schema/tables.js';
import { type Run, runFromRow, type UndoState } from './run.js';
import type { RunStart } from './runs.js';

export interface UndoStart
  extends RunStart,
    Pick<UndoState, 'runId' | 'requestId' | 'isForced' | 'toExamine'> {}

/** What an undo has done since its progress was stored. */
export interface UndoProgress {
  readonly tenantId: number;
  readonly undoId: number;
  /** The number of the request that continues it: later ones take over. */
  readonly request: number;
  readonly position: NonNullable<UndoState['position']>;
  readonly examined: number;
  readonly conflicts: number;
  readonly at: number;
}

/**
 * The runs that undo others. A run has at most one open undo: a unique index makes concurrent requests agree on it.
 * `open` begins it, `record` stores its progress, `continue` goes on after an interruption, and `Runs.end` ends it.
 */
export class Undos {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Opens a run that undoes another; undefined if that is being undone already. */
  async open(start: UndoStart): Promise<Run | undefined> {
    const { tenantId, source, senderId, at, runId, requestId, isForced, toExamine } = start;
    const { rows } = await sql<Selectable<Tables['run']>>`
      insert into run (tenant_id, source, kind, state, key_id, started_at, last_at, requests, undoes, undoes_request,
        is_forced, to_examine)
      select id, ${source}, 'undo', 'open', ${senderId}, ${at}, ${at}, 1, ${runId}, ${requestId}, ${isForced ? 1 : 0},
        ${toExamine}
      from tenant where id = ${tenantId} on conflict do nothing returning *
    `.execute(this.#db);
    return rows[0] && runFromRow(rows[0]);
  }

  /** The latest undo of a run. */
  async lastOf(tenantId: number, runId: number): Promise<Run | undefined> {
    const query = this.#db.selectFrom('run').selectAll().where('tenant_id', '=', tenantId);
    const row = await query.where('undoes', '=', runId).orderBy('id', 'desc').limit(1).executeTakeFirst();
    return row && runFromRow(row);
  }

  /** Continues an open undo: its next request, whose number is in `requests`. Undefined if it has ended. */
  async continue(tenantId: number, id: number, at: number): Promise<Run | undefined> {
    const row = await this.#db
      .updateTable('run')
      .set({ requests: sql`requests + 1`, last_at: at })
      .where('id', '=', id)
      .where('tenant_id', '=', tenantId)
      .where('state', '=', 'open')
      .returningAll()
      .executeTakeFirst();
    return row && runFromRow(row);
  }

  /** All undos of a run, undos of these, and so on. */
  async allOf(tenantId: number, runId: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      with recursive undos (id) as (
        select id from run where tenant_id = ${tenantId} and undoes = ${runId}
        union select run.id from undos join run on run.tenant_id = ${tenantId} and run.undoes = undos.id
      )
      select id from undos
    `.execute(this.#db);
    return rows.map(({ id }) => id);
  }

  /** False if the run has ended, or a later request has continued it. */
  async record(progress: UndoProgress): Promise<boolean> {
    const { tenantId, undoId, request, position, examined, conflicts, at } = progress;
    const { numUpdatedRows } = await this.#db
      .updateTable('run')
      .set({
        last_at: at,
        undo_turn: position.commitOrder,
        undo_seq: position.seq,
        examined: sql`examined + ${examined}`,
        conflicts: sql`conflicts + ${conflicts}`,
      })
      .where('id', '=', undoId)
      .where('tenant_id', '=', tenantId)
      .where('state', '=', 'open')
      .where('requests', '=', request)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }
}
