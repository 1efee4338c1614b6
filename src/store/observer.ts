import { DiskFailure } from './errors.js';
import { hasChanges, type UpsertCounts } from './requests.js';

/** Data that pruning removes: too old, or no longer indexed. */
export type Prunable = 'history' | 'rejections' | 'deliveries' | 'values';

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

  groupCommitted(counts: UpsertCounts, seconds: number): void {
    if (counts.unchanged + counts.skipped === 0 && !hasChanges(counts)) return;
    for (const observer of this.observers) observer.groupCommitted?.(counts, seconds);
  }

  /** Requests were not stored. */
  failed(error: Error): void {
    this.databaseFailed();
    if (error instanceof DiskFailure) this.diskFailed();
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
