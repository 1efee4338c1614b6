import type { AccountPatch, Outcome } from '../domain/account.js';

export interface UpsertRequest {
  readonly tenantId: number;
  readonly requestId: string;
  readonly keyId: string;
  readonly at: number;
  /** Applied in order; the same account may come twice. */
  readonly patches: readonly AccountPatch[];
  /** Size of the request as received: what it weighs in the queue. */
  readonly bytes: number;
  /** Whether to tell what became of each patch, not only how many. */
  readonly wantsRecords?: true;
}

export interface UpsertCounts extends Readonly<Record<Outcome, number>> {
  /** In the order of the patches, where the request wants them. */
  readonly records?: readonly RecordResult[];
}

export interface RecordResult {
  readonly outcome: Outcome;
  readonly changed: readonly string[];
}

export interface KeyUse {
  readonly keyId: string;
  readonly at: number;
}

export interface RequestLease {
  /** How many requests this process may let in; 0 where none is left. */
  readonly granted: number;
  /** How many are left for further leases. */
  readonly remaining: number;
}

/** One request's own end: a failure of one says nothing about its neighbours. */
export type UpsertOutcome = { readonly counts: UpsertCounts } | { readonly error: Error };
