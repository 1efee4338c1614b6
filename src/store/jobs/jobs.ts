import type { Kysely } from 'kysely';
import { ChangeFeed } from '../changes/change-feed.js';
import type { Position } from '../changes/changes-after.js';
import { Rejections, type TenantRejections } from '../changes/rejections.js';
import { StatisticsUpdate } from '../changes/statistics-update.js';
import type { Dialect } from '../dialect.js';
import type { Prunable } from '../observer.js';
import type { Tables } from '../schema/tables.js';
import { AttributeIndex, type IndexPlace, type IndexStep } from './attribute-index.js';
import { eraseHistory } from './erase-history.js';
import { HistoryPruning } from './history-pruning.js';
import { RejectionPruning } from './rejection-pruning.js';
import { UnindexedValues } from './unindexed-values.js';

/** Writes that nobody waits for as they wait for an account: done where they do not stop the event loop. */
export interface Jobs {
  /** Counts the changes of a tenant; false where some could not be read yet. */
  countChanges(tenantId: number, now: number): Promise<boolean>;
  recordRejections(all: readonly TenantRejections[], now: number): Promise<void>;
  /**
   * What is older than its tenant keeps it, and values that are not indexed any more; `rejectionDays` is for tenants
   * that do not say.
   */
  findOld(now: number, rejectionDays: number): Promise<PruneTask[]>;
  /** One short step. */
  prune(task: PruneTask, now: number, rejectionDays: number): Promise<PruneStep>;
  /** Erases what is known of an account that is about to be deleted, but for the account itself. */
  eraseTraces(tenantId: number, accountId: string): Promise<void>;
  /** Removes what was refused of an account. */
  forgetRejections(tenantId: number, accountId: string): Promise<void>;
  /** One short step; `IndexBuilds` makes all of them. */
  buildIndexPage(tenantId: number, attribute: string, from?: IndexPlace): Promise<IndexStep>;
}

export interface PruneTask {
  readonly what: Prunable;
  readonly tenantId: number;
  /** Where the step before ended. */
  readonly from?: Position;
}

export interface PruneStep {
  readonly removed: number;
  /** Undefined where nothing is left to do. */
  readonly next?: PruneTask | undefined;
}

export function createJobs(db: Kysely<Tables>, dialect: Dialect): Jobs {
  const tally = new StatisticsUpdate(db, new ChangeFeed(db, dialect));
  const rejections = new Rejections(db);
  const oldHistory = new HistoryPruning(db, dialect);
  const oldRejections = new RejectionPruning(db, dialect);
  const unindexed = new UnindexedValues(db, dialect);
  const index = new AttributeIndex(db, dialect);
  return {
    countChanges: (tenantId, now) => tally.catchUp(tenantId, now),
    recordRejections: (all, now) => rejections.record(all, now),
    findOld: async (now, rejectionDays) => [
      ...(await oldHistory.due(now)).map((tenantId) => ({ what: 'history', tenantId }) as const),
      ...(await oldRejections.due(now, rejectionDays)).map(
        (tenantId) => ({ what: 'rejections', tenantId }) as const,
      ),
      ...(await unindexed.due()).map((tenantId) => ({ what: 'values', tenantId }) as const),
    ],
    prune: async (task, now, rejectionDays) => {
      const { what, tenantId } = task;
      if (what === 'history') {
        const { removed, place } = await oldHistory.step(tenantId, now, task.from);
        return { removed, next: place && { ...task, from: place } };
      }
      const { removed, isDone } =
        what === 'values'
          ? await unindexed.step(tenantId)
          : await oldRejections.step(tenantId, now, rejectionDays);
      return { removed, next: isDone ? undefined : task };
    },
    eraseTraces: async (tenantId, accountId) => {
      await eraseHistory(db, dialect, tenantId, accountId);
      await unindexed.removeOf(tenantId, accountId);
      await rejections.forgetAccount(tenantId, accountId);
    },
    forgetRejections: (tenantId, accountId) => rejections.forgetAccount(tenantId, accountId),
    buildIndexPage: (tenantId, attribute, from) => index.buildPage(tenantId, attribute, from),
  };
}
