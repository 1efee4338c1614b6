import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { EndState, Run } from '../../store/runs/run.js';
import type { RequestCounts } from '../../store/runs/runs.js';
import { comparePositions } from '../../store/schema/position.js';
import type { Store } from '../../store/store.js';
import { principalOf } from '../auth/authenticate.js';
import type { Principal } from '../auth/principals.js';
import { httpError } from '../errors.js';
import type {} from '../request-context.js';
import { findRun } from './find-run.js';
import { RUN_HEADER } from './run-header.js';
import { readRunId } from './run-id.js';

const FLUSH_INTERVAL_MS = 1_000;
const END_INTERVAL_MS = 10_000;
/** A run that another process has finished is rejected within this time. */
const FRESH_FOR_MS = 500;
/** How long the end of a run waits until all of its changes can be counted. Later ones are added when they can. */
const COUNT_FOR_MS = 5_000;
const COUNT_PAUSE_MS = 25;
/** Runs that are named by requests of this second; when there are more, all are looked up again. */
const MAX_NAMED = 1_000;

export interface RunTrackerParts {
  readonly store: Store;
  readonly log: FastifyBaseLogger;
  readonly clock: () => number;
  /** An implicit run ends after so long without a request. */
  readonly silenceMs: number;
}

/** What became of one request of a run. */
export type RequestResult = Partial<Omit<RequestCounts, 'tenantId' | 'runId' | 'lastAt' | 'requests'>>;

type Counts = { -readonly [Name in keyof RequestCounts]: RequestCounts[Name] };

/**
 * Finds the run of each request, and counts what becomes of its requests. Neither costs a query per request:
 *
 *   assign(request) ─▶ names a run?  ──yes──▶ looked up within 500 ms? ──▶ its id, synchronously
 *                        │ no
 *                        ▼
 *                 the source's run is known, and not silent for long? ──▶ its id, synchronously
 *                        │ no
 *                        ▼
 *                 join the open run of the source in the database, or start one
 *
 *   record(request, …) ─▶ counts in memory ──every second──▶ store
 *
 * Counts of the last second are lost if the process is killed; what was created and updated is not, since that is added
 * up from change sets.
 */
export class RunTracker {
  readonly #parts: RunTrackerParts;
  readonly #timers: readonly NodeJS.Timeout[];
  /** The implicit runs of sources, by tenant and source. */
  readonly #implicit = new Map<string, { readonly id: number; lastAt: number }>();
  readonly #joining = new Map<string, Promise<number>>();
  readonly #named = new Map<number, { readonly tenantId: number; readonly run: Run; readonly at: number }>();
  #counts = new Map<number, Counts>();
  #writing: Promise<void> | undefined;

  constructor(parts: RunTrackerParts) {
    this.#parts = parts;
    this.#timers = [
      setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref(),
      setInterval(() => void this.#endSilent(), END_INTERVAL_MS).unref(),
    ];
  }

  /** Counts requests that end with an error after their run is known. */
  attach(app: FastifyInstance): void {
    app.decorateRequest('runId', null);
    app.decorateRequest('writeMode', 'upsert');
    app.decorateRequest('isMirrored', false);
    app.addHook('onError', async (request) => {
      if (request.runId !== null) this.record(request, { failedRequests: 1 });
    });
    app.addHook('onClose', () => this.close());
  }

  /**
   * Sets the run of a request: the one that it names, or else the open one of its source. An `onRequest` hook for routes
   * that store accounts, after their guard. A dry run belongs to no run; if it names one, it is judged by its mode.
   */
  readonly assign: onRequestHookHandler = (request, _reply, done) => {
    const principal = principalOf(request);
    const name = request.headers[RUN_HEADER];
    if (request.isDryRun && name === undefined) return done();
    const found = name === undefined ? this.#implicitRun(principal) : this.#namedRun(principal, String(name));
    const set = (run: number | Run) => {
      if (!request.isDryRun) request.runId = typeof run === 'number' ? run : run.id;
      if (typeof run !== 'number') {
        request.writeMode = run.mode;
        request.isMirrored = run.missing !== null;
      }
      done();
    };
    // Without a promise for known runs: it would cost more than the lookup.
    if (found instanceof Promise) found.then(set, done);
    else set(found);
  };

  /** Counts a request, or a part of one: then `requests` is 0. */
  record(request: FastifyRequest, result: RequestResult, requests = 1): void {
    const { runId } = request;
    if (runId === null) return;
    const { failedRequests = 0, unchanged = 0, skipped = 0, kept = 0, rejected = 0 } = result;
    const tenantId = principalOf(request).tenant.id;
    const lastAt = this.#parts.clock();
    this.#add({ tenantId, runId, lastAt, requests, failedRequests, unchanged, skipped, kept, rejected });
  }

  #add(added: RequestCounts): void {
    const counts = this.#counts.get(added.runId);
    if (counts === undefined) {
      this.#counts.set(added.runId, { ...added });
      return;
    }
    counts.lastAt = Math.max(counts.lastAt, added.lastAt);
    counts.requests += added.requests;
    counts.failedRequests += added.failedRequests;
    counts.unchanged += added.unchanged;
    counts.skipped += added.skipped;
    counts.kept += added.kept;
    counts.rejected += added.rejected;
  }

  /** Finds a run that the principal may use; it may have ended. */
  async find({ tenant, source, scopes }: Principal, name: string): Promise<Run> {
    const run = await findRun(this.#parts.store, tenant.id, name);
    // An administrator may end the undo of another.
    const isAllowed = run.source === source || (run.undo !== null && scopes.includes('admin'));
    if (!isAllowed) throw httpError('run_of_other_source', run.id, run.source, source);
    return run;
  }

  /**
   * Ends a run, with all counts of this process. A run that has ended in the same way stays as it is. `beforeEnd` is
   * called if it is still open.
   */
  async finish(
    principal: Principal,
    name: string,
    state: EndState,
    beforeEnd?: (run: Run) => Promise<void>,
  ): Promise<Run> {
    const found = await this.find(principal, name);
    const { id, undo } = found;
    if (undo !== null && state === 'finished') throw httpError('run_is_undo', id);
    await this.flush();
    if (found.state === 'open') await beforeEnd?.(found);
    const run = (await this.end(principal.tenant.id, id, state)) ?? (await this.find(principal, name));
    // It may be the implicit run of its source.
    this.#forget(id);
    if (run.state !== state) throw httpError('run_ended', id);
    return run;
  }

  /** Ends a run after its changes are counted; undefined if it has ended. */
  async end(tenantId: number, id: number, state: EndState): Promise<Run | undefined> {
    const { store, clock } = this.#parts;
    await this.countChanges(tenantId);
    return store.runs.end(tenantId, id, state, clock());
  }

  /**
   * Counts the changes so far; false if some cannot be read yet. On PostgreSQL, changes can be read after all
   * transactions that began before them, so it waits a moment for these.
   */
  async countChanges(tenantId: number): Promise<boolean> {
    const { store, clock } = this.#parts;
    const until = performance.now() + COUNT_FOR_MS;
    const last = await store.feed.lastSet(tenantId);
    for (;;) {
      await store.jobs.countChanges(tenantId, clock());
      if (comparePositions(await store.statistics.countedTo(tenantId), last) >= 0) return true;
      if (performance.now() >= until) return false;
      await setTimeout(COUNT_PAUSE_MS);
    }
  }

  /** Writes the counts so far. */
  async flush(): Promise<void> {
    // One write at a time: while the database is slow, counts are added up here. Another flush may begin the next one
    // first, with the counts that this one has to write.
    while (this.#writing !== undefined) await this.#writing;
    if (this.#counts.size === 0) return;
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.flush();
  }

  #implicitRun({ tenant, source, senderId }: Principal): number | Promise<number> {
    const { store, clock, silenceMs } = this.#parts;
    const key = `${tenant.id} ${source}`;
    const known = this.#implicit.get(key);
    const at = clock();
    if (known !== undefined && at - known.lastAt < silenceMs) {
      known.lastAt = at;
      return known.id;
    }
    const others = this.#joining.get(key);
    if (others !== undefined) return others;
    // So that the run before ends at the time of its last request.
    const joining = this.flush()
      .then(() => store.runs.join({ tenantId: tenant.id, source, senderId, at }, silenceMs))
      .then((id) => {
        this.#implicit.set(key, { id, lastAt: at });
        return id;
      })
      .finally(() => this.#joining.delete(key));
    this.#joining.set(key, joining);
    return joining;
  }

  #namedRun(principal: Principal, name: string): Run | Promise<Run> {
    const known = this.#named.get(readRunId(name) ?? -1);
    const isKnown =
      known !== undefined &&
      performance.now() - known.at < FRESH_FOR_MS &&
      known.tenantId === principal.tenant.id &&
      known.run.source === principal.source;
    return isKnown ? known.run : this.#lookUp(principal, name);
  }

  async #lookUp(principal: Principal, name: string): Promise<Run> {
    const at = performance.now();
    const run = await this.find(principal, name);
    if (run.undo !== null) throw httpError('run_is_undo', run.id);
    if (run.state !== 'open') throw httpError('run_ended', run.id);
    if (this.#named.size >= MAX_NAMED) this.#named.clear();
    this.#named.set(run.id, { tenantId: principal.tenant.id, run, at });
    return run;
  }

  async #write(): Promise<void> {
    const { store, log } = this.#parts;
    const all = [...this.#counts.values()];
    this.#counts = new Map();
    try {
      for (const id of await store.jobs.recordRuns(all)) this.#forget(id);
    } catch (error) {
      // The next flush tries again.
      for (const counts of all) this.#add(counts);
      log.warn(error, 'requests of runs not counted yet');
    }
  }

  /** The run has ended, perhaps by another process: the next request of its source starts a new one. */
  #forget(id: number): void {
    this.#named.delete(id);
    for (const [key, run] of this.#implicit) if (run.id === id) this.#implicit.delete(key);
  }

  async #endSilent(): Promise<void> {
    const { store, log, clock, silenceMs } = this.#parts;
    // So that the times of the latest requests are stored.
    await this.flush();
    try {
      await store.jobs.endSilentRuns(clock(), silenceMs);
    } catch (error) {
      log.warn(error, 'silent runs not ended');
    }
  }
}
