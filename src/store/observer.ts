import { DiskFailure } from './errors.js';
import type { UpsertCounts, UpsertOutcome } from './requests.js';

/** Data that pruning removes: too old, or no longer indexed. */
export type Prunable = 'history' | 'rejections' | 'values';

/** Receives the events of a store, for metrics. */
export interface StoreObserver {
  /** A group was committed: the outcomes of its records, and the time it took. */
  groupCommitted(counts: UpsertCounts, seconds: number): void;
  /** An operation failed in the database, or did not reach it. */
  databaseFailed(): void;
  /** A group or a job was not stored, because the disk is full or fails. */
  diskFailed(): void;
  /** Rows were removed that were too old or no longer indexed. */
  pruned(what: Prunable, rows: number): void;
}

/** Passes events on to all observers. */
export class StoreObservers {
  readonly observers: Partial<StoreObserver>[] = [];

  /** A group that had to be split counts as one, with all records that were stored. */
  groupEnded(
    outcomes: readonly (UpsertOutcome | { readonly counts?: never; readonly error?: Error })[],
    seconds: number,
  ): void {
    const sum = { created: 0, updated: 0, unchanged: 0, deleted: 0 };
    let hasDiskFailed = false;
    for (const outcome of outcomes) {
      if ('error' in outcome) hasDiskFailed ||= outcome.error instanceof DiskFailure;
      const counts = 'counts' in outcome ? outcome.counts : undefined;
      if (counts === undefined) continue;
      sum.created += counts.created;
      sum.updated += counts.updated;
      sum.unchanged += counts.unchanged;
      sum.deleted += counts.deleted;
    }
    if (sum.created + sum.updated + sum.unchanged + sum.deleted > 0)
      for (const observer of this.observers) observer.groupCommitted?.(sum, seconds);
    if (hasDiskFailed) this.diskFailed();
  }

  diskFailed(): void {
    for (const observer of this.observers) observer.diskFailed?.();
  }

  databaseFailed(): void {
    for (const observer of this.observers) observer.databaseFailed?.();
  }

  pruned(what: Prunable, rows: number): void {
    for (const observer of this.observers) observer.pruned?.(what, rows);
  }
}
