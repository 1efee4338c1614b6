import type { Kysely } from 'kysely';
import { Rejections, type TenantRejections } from '../changes/rejections.js';
import { StatisticsUpdate } from '../changes/statistics-update.js';
import type { Dialect } from '../dialect.js';
import type { Prunable } from '../observer.js';
import {
  PushedAccounts,
  type PushedPage,
  type PushedRange,
  type SettledPage,
} from '../runs/pushed-accounts.js';
import type { MissingCounts } from '../runs/run.js';
import { type RequestCounts, Runs } from '../runs/runs.js';
import { type UndoProgress, Undos } from '../runs/undos.js';
import type { Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';
import { AttributeIndex, type IndexBuild, type IndexStep } from './attribute-index.js';
import { HistoryErasure } from './history-erasure.js';
import { HistoryPruning } from './history-pruning.js';
import { LogPruning } from './log-pruning.js';
import { UnindexedValues } from './unindexed-values.js';

/**
 * Background jobs: writes that are not part of an upsert. They compete with account writes for the write lock of
 * SQLite, and for rows on PostgreSQL. Therefore:
 * - Every job works in short transactions. `Pruner` and `IndexBuilds` repeat steps of one transaction each, with a rest
 *   after each step, and can be stopped between two steps.
 * - The database shows what is left to do, so that another process can take over after a crash.
 * - On SQLite, a server runs the calls in `BackgroundThread`, which keeps them off the event loop.
 */
export interface Jobs {
  /** Updates the statistics of a tenant; false if some changes could not be read yet. */
  countChanges(tenantId: number, now: number): Promise<boolean>;
  /** Adds to the counts of runs. Returns the ids of those that are not open any more. */
  recordRuns(all: readonly RequestCounts[]): Promise<number[]>;
  /** Stores how far an undo is; false if it has ended, or a later request has continued it. */
  recordUndo(progress: UndoProgress): Promise<boolean>;
  /** One short step of finding the accounts that a source has created; repeated until it returns undefined. */
  seedPushed(tenantId: number, source: string, after: string): Promise<string | undefined>;
  /** Some of the accounts that a source has pushed. */
  pushedPage(range: PushedRange): Promise<PushedPage>;
  /** After missing accounts are archived: see `PushedAccounts.settle`. */
  settlePushed(range: PushedRange): Promise<SettledPage>;
  /** Stores how many accounts are missing from a run. */
  recordMissing(tenantId: number, runId: number, found: MissingCounts, at: number): Promise<void>;
  /** Ends runs that have had no request for a while. */
  endSilentRuns(now: number, silenceMs: number): Promise<void>;
  recordRejections(all: readonly TenantRejections[], now: number): Promise<void>;
  /**
   * Tenants with history, rejections or deliveries that are too old, with values that are not indexed any more, or with
   * values of deleted accounts in their history. `rejectionDays` applies to tenants without a setting of their own.
   */
  findOld(now: number, rejectionDays: number): Promise<PruneTask[]>;
  /** One short step. */
  prune(task: PruneTask, now: number, rejectionDays: number): Promise<PruneStep>;
  /** Removes the indexed values and rejections of an account that is about to be deleted. */
  eraseTraces(tenantId: number, accountId: string): Promise<void>;
  /** Deletes the rejections of an account. */
  forgetRejections(tenantId: number, accountId: string): Promise<void>;
  /** One short step; `IndexBuilds` repeats it until the index is complete. */
  buildIndexPage(tenantId: number, attribute: string, running?: IndexBuild): Promise<IndexStep>;
}

export interface PruneTask {
  readonly what: Prunable | 'erasures';
  readonly tenantId: number;
  /** Where the previous step ended. */
  readonly from?: Position;
}

export interface PruneStep {
  readonly removed: number;
  /** Undefined if nothing is left to do. */
  readonly next?: PruneTask | undefined;
}

export function createJobs(db: Kysely<Tables>, dialect: Dialect): Jobs {
  const statistics = new StatisticsUpdate(db, dialect);
  const rejections = new Rejections(db);
  const runs = new Runs(db, dialect);
  const undos = new Undos(db);
  const pushed = new PushedAccounts(db);
  const erasure = new HistoryErasure(db, dialect);
  const oldHistory = new HistoryPruning(db, dialect);
  const oldRejections = new LogPruning(db, dialect, 'rejection');
  const oldDeliveries = new LogPruning(db, dialect, 'webhook_delivery');
  const unindexed = new UnindexedValues(db, dialect);
  const index = new AttributeIndex(db, dialect);
  return {
    countChanges: (tenantId, now) => statistics.catchUp(tenantId, now),
    recordRuns: (all) => runs.record(all),
    recordUndo: (progress) => undos.record(progress),
    seedPushed: (tenantId, source, after) => pushed.seed(tenantId, source, after),
    pushedPage: (range) => pushed.page(range),
    settlePushed: (range) => pushed.settle(range),
    recordMissing: (...args) => runs.recordMissing(...args),
    endSilentRuns: (now, silenceMs) => runs.endSilent(now, silenceMs),
    recordRejections: (all, now) => rejections.record(all, now),
    findOld: async (now, rejectionDays) => [
      ...(await erasure.due(now)).map((tenantId) => ({ what: 'erasures', tenantId }) as const),
      ...(await oldHistory.due(now)).map((tenantId) => ({ what: 'history', tenantId }) as const),
      ...(await oldRejections.due(now, rejectionDays)).map(
        (tenantId) => ({ what: 'rejections', tenantId }) as const,
      ),
      ...(await oldDeliveries.due(now, rejectionDays)).map(
        (tenantId) => ({ what: 'deliveries', tenantId }) as const,
      ),
      ...(await unindexed.due()).map((tenantId) => ({ what: 'values', tenantId }) as const),
    ],
    prune: async (task, now, rejectionDays) => {
      const { what, tenantId } = task;
      if (what === 'erasures') {
        return { removed: 0, next: (await erasure.step(tenantId, now)) ? undefined : task };
      }
      if (what === 'history') {
        const { removed, position } = await oldHistory.step(tenantId, now, task.from);
        return { removed, next: position && { ...task, from: position } };
      }
      const log = what === 'deliveries' ? oldDeliveries : oldRejections;
      const { removed, isDone } =
        what === 'values' ? await unindexed.step(tenantId) : await log.step(tenantId, now, rejectionDays);
      return { removed, next: isDone ? undefined : task };
    },
    eraseTraces: async (tenantId, accountId) => {
      await unindexed.removeOf(tenantId, accountId);
      await rejections.forgetAccount(tenantId, accountId);
    },
    forgetRejections: (tenantId, accountId) => rejections.forgetAccount(tenantId, accountId),
    buildIndexPage: (tenantId, attribute, running) => index.buildPage(tenantId, attribute, running),
  };
}
