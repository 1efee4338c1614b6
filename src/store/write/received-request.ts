import type { WriteMode } from '../../domain/account.js';
import type { TenantSettings } from '../../domain/tenant.js';
import type { UpsertCounts } from '../requests.js';
import type { RejectedRequest, RejectedWhole } from './prepare-request.js';

/**
 * A body of this size is parsed in another thread than small ones, if there is one: parsing a smaller body takes half a
 * millisecond at most.
 */
const LARGE_BYTES = 16 * 1024;

export function isLarge({ body }: ReceivedRequest): boolean {
  return body.length >= LARGE_BYTES;
}

/** A request of the contract whose body is not parsed yet. */
export interface ReceivedRequest {
  /** One account, or a batch of which all records are stored or none. */
  readonly kind: 'account' | 'batch';
  readonly tenantId: number;
  /** A new object whenever a setting changes. */
  readonly settings: TenantSettings;
  readonly senderId: string;
  readonly source: string;
  readonly runId?: number | undefined;
  /** Default: `upsert`. */
  readonly mode?: WriteMode | undefined;
  /** Whether its run asks for missing accounts: then what it pushes is stored, even if the settings are not fresh. */
  readonly isMirrored: boolean;
  readonly requestId: string;
  readonly at: number;
  readonly body: Buffer;
}

/**
 * What has become of it: stored, rejected because of its records or as a whole, or a write that failed. `records` is
 * the number of its records, as far as it is known.
 */
export type Received =
  | { readonly counts: UpsertCounts; readonly records: number }
  | RejectedRequest
  | RejectedWhole
  | { readonly failed: Error; readonly records: number };
