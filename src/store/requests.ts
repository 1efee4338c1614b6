import type { AccountPatch, Conflict, Outcome, WriteMode } from '../domain/account.js';

export interface UpsertRequest {
  readonly tenantId: number;
  readonly requestId: string;
  /** The id of the key or user that has sent it; the stored columns are called `key_id`. */
  readonly senderId: string;
  /** The run to which the request belongs, if any. */
  readonly runId?: number | undefined;
  readonly at: number;
  /** What to remember as pushed, if the source is tracked: the accounts of all records, also of rejected ones. */
  readonly pushed?: PushedIds | undefined;
  /** Applied in order; an account may occur more than once. */
  readonly patches: readonly AccountPatch[];
  /** Default: `upsert`. */
  readonly mode?: WriteMode | undefined;
  /** Whether each patch is stored or refused independently, not all or none. */
  readonly isIndependent?: true;
  /** Size of the request as received, which counts towards the limit of the queue. */
  readonly bytes: number;
  /** Whether to return the outcome of each patch, not only the counts. */
  readonly wantsRecords?: true;
}

/** How many records a request counts for; rejected ones have no patch. */
export function recordsOf({ patches, pushed }: UpsertRequest): number {
  return Math.max(patches.length, pushed?.accountIds.length ?? 0);
}

/** The accounts that a request of a tracked source names. */
export interface PushedIds {
  readonly source: string;
  readonly accountIds: readonly string[];
}

export interface UpsertCounts extends Readonly<Record<Outcome, number>> {
  /** In the order of the patches, if the request wants them. */
  readonly records?: readonly RecordResult[];
  /** What patches with `edit` did not change, if anything; `index` is that of the patch. */
  readonly conflicts?: readonly PatchConflict[];
  /** Patches that change fields of other sources, if there are any. Unless they are independent, nothing is stored. */
  readonly refused?: readonly RefusedPatch[];
  /** How often a field was left as it is because another source owns it, by field, if at all. */
  readonly kept?: Readonly<Record<string, number>>;
}

export interface RefusedPatch {
  readonly index: number;
  readonly fields: readonly string[];
}

export interface PatchConflict extends Conflict {
  readonly index: number;
}

export function noCounts(): Record<Outcome, number> {
  return { created: 0, updated: 0, unchanged: 0, skipped: 0, archived: 0, restored: 0, deleted: 0 };
}

export function hasChanges(counts: Readonly<Record<Outcome, number>>): boolean {
  const { created, updated, archived, restored, deleted } = counts;
  return created + updated + archived + restored + deleted > 0;
}

export interface RecordResult {
  readonly outcome: Outcome | 'refused';
  readonly changed: readonly string[];
  /** Fields that were left as they are, because another source owns them. */
  readonly kept?: readonly string[] | undefined;
  /** Fields of other sources that made it be refused. */
  readonly refused?: readonly string[];
}

export interface KeyUse {
  readonly keyId: string;
  readonly at: number;
}

export interface RequestLease {
  /** How many requests this process may accept; 0 if the limit is used up. */
  readonly granted: number;
  /** How many are left for further leases. */
  readonly remaining: number;
}

/** The outcome of one request of a group. A failed request does not fail the others. */
export type UpsertOutcome = { readonly counts: UpsertCounts } | { readonly error: Error };
