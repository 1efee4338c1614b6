import type { TenantSettings } from '../../domain/tenant.js';
import type { KeyUse, UpsertCounts, UpsertRequest } from '../requests.js';
import type { ImportOptions, ImportStep } from './import-run.js';
import type { IngestFailure } from './ingest-failure.js';
import type { Received, ReceivedRequest } from './received-request.js';

/*
 * What the event loop and an ingest thread say to each other. A call with an `id` gets one reply with it:
 *
 *   event loop ── settings of a tenant, when they have changed ──▶ thread
 *              ── heads of some requests, and all their bodies ──▶ parse, validate, write
 *              ── the next bytes of an import ───────────────────▶ the same
 *              ◀── replies, in any order ─────────────────────────
 *
 * Bodies are bytes until they reach the thread: cloning parsed records would cost both sides more than parsing them.
 */

/** The settings of more tenants than this are sent again. */
const MAX_TENANTS = 1_000;

/**
 * Adds what is known about a tenant; when there are too many, all others are removed. Both sides do so after the same
 * message, so that the event loop knows which settings the thread has.
 */
export function addBounded<T>(byTenant: Map<number, T>, tenantId: number, value: T): void {
  if (byTenant.size >= MAX_TENANTS && !byTenant.has(tenantId)) byTenant.clear();
  byTenant.set(tenantId, value);
}

/** A received request without its body, which is the next `bytes` of the message. */
export interface RequestHead extends Omit<ReceivedRequest, 'settings' | 'body'> {
  readonly id: number;
  readonly bytes: number;
}

export type IngestCall =
  | { readonly tenantId: number; readonly settings: TenantSettings }
  | { readonly requests: readonly RequestHead[]; readonly bodies: Uint8Array }
  | { readonly id: number; readonly upsert: UpsertRequest }
  | { readonly importId: number; readonly begin: ImportOptions }
  | {
      readonly importId: number;
      readonly id: number;
      readonly bytes: Uint8Array;
      readonly isLast: boolean;
      readonly at: number;
    }
  | { readonly importId: number; readonly close: true }
  | { readonly id: number; readonly keyUses: readonly KeyUse[] }
  /** Only asks for a reply. */
  | { readonly id: number; readonly ping: true }
  /** Finishes everything before it, then ends the thread. */
  | { readonly end: true }
  /** Ends the thread as soon as it reads this; what it has not committed is lost. */
  | { readonly exit: true };

export type IngestOutcome =
  | Exclude<Received, { readonly failed: Error }>
  | { readonly failed: IngestFailure; readonly records: number }
  | { readonly upserted: UpsertCounts }
  | { readonly step: ImportStep }
  | { readonly done: true }
  | IngestFailure;

export interface IngestReply {
  readonly replies: readonly (readonly [id: number, outcome: IngestOutcome])[];
  readonly group?: CommittedGroup | undefined;
}

/** A group of requests that was committed in one transaction: what became of its records, and the time it took. */
export interface CommittedGroup {
  readonly counts: UpsertCounts;
  readonly seconds: number;
}
