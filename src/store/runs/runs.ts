import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { WriteMode } from '../../domain/account.js';
import type { Dialect } from '../dialect.js';
import { insertEvent } from '../schema/feed-event.js';
import type { Tables } from '../schema/tables.js';
import {
  type EndState,
  type MissingAction,
  type MissingCounts,
  type NamedRun,
  type Run,
  type RunKind,
  type RunState,
  runFromRow,
} from './run.js';
import { findUsers } from './senders.js';

/** What an explicit run may ask for. */
export interface RunOptions {
  readonly missing?: MissingAction | null;
  /** Default: `upsert`. */
  readonly mode?: WriteMode;
}

/** The start of a run, and who starts it. */
export interface RunStart {
  readonly tenantId: number;
  readonly source: string;
  readonly senderId: string;
  readonly at: number;
}

/** What some requests add to the counts of their run. */
export interface RequestCounts {
  readonly tenantId: number;
  readonly runId: number;
  readonly lastAt: number;
  readonly requests: number;
  readonly failedRequests: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly kept: number;
  readonly rejected: number;
}

export interface RunFilter {
  readonly source?: string | undefined;
  readonly state?: RunState | undefined;
  /** Only runs that started at this time or later. */
  readonly since?: number | undefined;
  /** Only runs that started before this time. */
  readonly until?: number | undefined;
  /** Only runs after this one, in the order of the page. */
  readonly after?: { readonly startedAt: number; readonly id: number } | undefined;
  readonly limit: number;
}

interface RunEnd {
  readonly tenantId: number;
  readonly id: number;
  readonly state: EndState;
  readonly at: number;
  readonly now: number;
}

/** An explicit run without a request for so long is abandoned. An implicit run lasts at most so long. */
export const LONGEST_SILENCE_MS = 24 * 60 * 60 * 1_000;

/**
 * The runs of sources. A run gathers the requests of one source:
 *
 *   explicit   open() ──▶ requests name it ──▶ end()                 or, after a day of silence, abandoned
 *   implicit   join() with the first request ──▶ some minutes of silence, or a day ──▶ finished
 *   undo       takes back another run, see `undos.ts` ──▶ end()
 *
 * - A source has at most one open implicit run. A unique index makes concurrent processes agree on it.
 * - A write stores only the id of its run, with its change set. What changed is added up from change sets
 *   (`run-changes.ts`), everything else from memory, once a second (`record`). So counting costs no write a request.
 */
export class Runs {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  async find(tenantId: number, id: number): Promise<Run | undefined> {
    const query = this.#db.selectFrom('run').selectAll().where('id', '=', id);
    const row = await query.where('tenant_id', '=', tenantId).executeTakeFirst();
    return row && runFromRow(row);
  }

  /** Newest first. */
  async page(tenantId: number, filter: RunFilter): Promise<Run[]> {
    const { source, state, since, until, after, limit } = filter;
    let query = this.#db.selectFrom('run').selectAll().where('tenant_id', '=', tenantId);
    if (source !== undefined) query = query.where('source', '=', source);
    if (state !== undefined) query = query.where('state', '=', state);
    if (since !== undefined) query = query.where('started_at', '>=', since);
    if (until !== undefined) query = query.where('started_at', '<', until);
    if (after !== undefined) {
      query = query.where(sql<boolean>`(started_at, id) < (${after.startedAt}, ${after.id})`);
    }
    const rows = await query.orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
    return rows.map(runFromRow);
  }

  /** Adds the users who began them. Requests that belong to runs do without. */
  async withUsers(tenantId: number, runs: readonly Run[]): Promise<NamedRun[]> {
    const senders = runs.map(({ senderId }) => senderId);
    const userOf = await findUsers(this.#db, tenantId, senders);
    return runs.map((run) => ({ ...run, user: userOf(run.senderId) }));
  }

  async withUser(tenantId: number, run: Run): Promise<NamedRun> {
    const userOf = await findUsers(this.#db, tenantId, [run.senderId]);
    return { ...run, user: userOf(run.senderId) };
  }

  /** Opens an explicit run. Its source must be tracked if the run asks for missing accounts. */
  open(start: RunStart, options: RunOptions = {}): Promise<Run> {
    const { missing = null } = options;
    return this.#db.transaction().execute(async (db) => {
      const row = await insertRun(db, start, 'explicit', options);
      if (row === undefined) throw new Error(`There is no tenant ${start.tenantId}.`);
      // What the source pushes from now on is not missing.
      if (missing !== null)
        await db
          .updateTable('source')
          .set({ mirror_run: row.id })
          .where('tenant_id', '=', start.tenantId)
          .where('name', '=', start.source)
          .where('mirror_run', '<', row.id)
          .execute();
      return runFromRow(row);
    });
  }

  /** Returns the id of the open implicit run of a source; starts one if there is none, or none without long silence. */
  async join(start: RunStart, silenceMs: number): Promise<number> {
    for (;;) {
      const id = await this.#db.transaction().execute((db) => this.#tryToJoin(db, start, silenceMs));
      if (id !== undefined) return id;
    }
  }

  /** Ends an open run; undefined if it is not open. */
  end(tenantId: number, id: number, state: EndState, at: number): Promise<Run | undefined> {
    return this.#db.transaction().execute((db) => this.#end(db, { tenantId, id, state, at, now: at }));
  }

  /** Adds to the counts of runs. Returns the ids of those that are not open any more. */
  record(all: readonly RequestCounts[]): Promise<number[]> {
    const ended: number[] = [];
    const successes: { readonly tenantId: number; readonly source: string; readonly at: number }[] = [];
    return this.#db.transaction().execute(async (db) => {
      // Runs by their ids, and then sources, as every transaction does: so two processes never deadlock.
      for (const counts of all.toSorted((a, b) => a.runId - b.runId)) {
        const { tenantId, runId, lastAt, requests, failedRequests, unchanged, skipped, kept, rejected } =
          counts;
        const row = await db
          .updateTable('run')
          .set({
            last_at: sql`case when last_at < ${lastAt} then ${lastAt} else last_at end`,
            requests: sql`requests + ${requests}`,
            failed_requests: sql`failed_requests + ${failedRequests}`,
            unchanged: sql`unchanged + ${unchanged}`,
            skipped: sql`skipped + ${skipped}`,
            kept: sql`kept + ${kept}`,
            rejected: sql`rejected + ${rejected}`,
          })
          .where('id', '=', runId)
          .where('tenant_id', '=', tenantId)
          .returning(['source', 'kind', 'state'])
          .executeTakeFirst();
        if (row?.state !== 'open') ended.push(runId);
        // An implicit run has no explicit end. If the source never pauses, it lasts for a day, and must not be late.
        if (row?.kind === 'implicit' && failedRequests < requests)
          successes.push({ tenantId, source: row.source, at: lastAt });
      }
      successes.sort((a, b) => a.tenantId - b.tenantId || (a.source < b.source ? -1 : 1));
      for (const { tenantId, source, at } of successes) await recordSuccess(db, tenantId, source, at);
      return ended;
    });
  }

  /** How many accounts are missing from an open run. */
  async recordMissing(tenantId: number, id: number, found: MissingCounts, at: number): Promise<void> {
    const { accounts, of } = found;
    await this.#db
      .updateTable('run')
      .set({ missing_accounts: accounts, missing_of: of, last_at: at })
      .where('id', '=', id)
      .where('tenant_id', '=', tenantId)
      .where('state', '=', 'open')
      .execute();
  }

  /** Ends implicit runs after some silence, and those of either kind that are open for too long. */
  async endSilent(now: number, silenceMs: number): Promise<void> {
    const due = await this.#db
      .selectFrom('run')
      .select(['id', 'tenant_id', 'kind', 'last_at'])
      .where('state', '=', 'open')
      .where(({ and, eb, or }) =>
        or([
          and([eb('kind', '=', 'implicit'), eb('last_at', '<', now - silenceMs)]),
          and([eb('kind', '=', 'implicit'), eb('started_at', '<', now - LONGEST_SILENCE_MS)]),
          eb('last_at', '<', now - LONGEST_SILENCE_MS),
        ]),
      )
      .execute();
    for (const { id, tenant_id, kind, last_at } of due) {
      const state = kind === 'implicit' ? 'finished' : 'abandoned';
      await this.#db
        .transaction()
        .execute((db) => this.#end(db, { tenantId: tenant_id, id, state, at: last_at, now }));
    }
  }

  /** Undefined if another process has started or ended a run of the source meanwhile. */
  async #tryToJoin(db: Transaction<Tables>, start: RunStart, silenceMs: number): Promise<number | undefined> {
    const { tenantId, source, at } = start;
    // The first statement takes the write lock.
    const inserted = await insertRun(db, start, 'implicit');
    if (inserted !== undefined) return inserted.id;
    const open = await db
      .selectFrom('run')
      .select(['id', 'last_at'])
      .where('tenant_id', '=', tenantId)
      .where('source', '=', source)
      .where('state', '=', 'open')
      .where('kind', '=', 'implicit')
      .executeTakeFirst();
    if (open === undefined) {
      const tenant = db.selectFrom('tenant').select('id').where('id', '=', tenantId);
      await tenant.executeTakeFirstOrThrow(() => new Error(`There is no tenant ${tenantId}.`));
      return undefined;
    }
    if (open.last_at >= at - silenceMs) return open.id;
    await this.#end(db, { tenantId, id: open.id, state: 'finished', at: open.last_at, now: at });
    return (await insertRun(db, start, 'implicit'))?.id;
  }

  async #end(db: Transaction<Tables>, { tenantId, id, state, at, now }: RunEnd): Promise<Run | undefined> {
    const row = await db
      .updateTable('run')
      .set({ state, ended_at: at })
      .where('id', '=', id)
      .where('tenant_id', '=', tenantId)
      .where('state', '=', 'open')
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const run = runFromRow(row);
    const isSuccess = run.requests === 0 || run.failedRequests < run.requests;
    // An undo is no delivery of its source.
    if (state === 'finished' && isSuccess && run.undo === null)
      await recordSuccess(db, tenantId, run.source, at);
    const type = run.undo !== null && state === 'finished' ? 'run.undone' : 'run.finished';
    await insertEvent(db, this.#dialect, { tenantId, at: now, event: { type, run: id } });
    return run;
  }
}

/** From this time on, the next run of a source is expected. */
async function recordSuccess(
  db: Transaction<Tables>,
  tenantId: number,
  source: string,
  at: number,
): Promise<void> {
  await db
    .updateTable('source')
    .set({ last_finished_at: at })
    .where('tenant_id', '=', tenantId)
    .where('name', '=', source)
    .where(({ eb, or }) => or([eb('last_finished_at', 'is', null), eb('last_finished_at', '<', at)]))
    .execute();
}

/**
 * Undefined if the source has an open implicit run already. From `tenant`, so that a tenant that was removed meanwhile
 * gets no run.
 */
async function insertRun(
  db: Kysely<Tables>,
  { tenantId, source, senderId, at }: RunStart,
  kind: RunKind,
  { missing = null, mode = 'upsert' }: RunOptions = {},
): Promise<Selectable<Tables['run']> | undefined> {
  const { rows } = await sql<Selectable<Tables['run']>>`
    insert into run (tenant_id, source, kind, state, key_id, started_at, last_at, missing, mode)
    select id, ${source}, ${kind}, 'open', ${senderId}, ${at}, ${at}, ${missing}, ${mode} from tenant where id = ${tenantId}
    on conflict do nothing returning *
  `.execute(db);
  return rows[0];
}
