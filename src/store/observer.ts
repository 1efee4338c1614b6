import { DiskFailure } from './errors.js';
import type { UpsertCounts, UpsertOutcome } from './requests.js';

/** What is removed once it is older than its tenant keeps it, or no longer indexed. */
export type Prunable = 'history' | 'rejections' | 'values';

/** Is told what happens inside a store, so that somebody can count it. */
export interface StoreObserver {
  /** What became of the records of one group, and how long it took to commit them. */
  groupCommitted(counts: UpsertCounts, seconds: number): void;
  /** A piece of work that the database failed, or that did not reach it. */
  databaseFailed(): void;
  /** A group or a job that was not stored, since the disk is full or fails. */
  diskFailed(): void;
  /** Rows that were older than they are kept, or values that are not indexed any more. */
  pruned(what: Prunable, rows: number): void;
}

/** Passes on to whoever observes, if anybody does by now. */
export class StoreObservers {
  readonly observers: Partial<StoreObserver>[] = [];

  /** Of a group that had to be split, all that was stored counts as one. */
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
