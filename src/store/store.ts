import type { Account, AccountPatch, FieldChanges, Outcome } from '../domain/account.js';
import type { JsonValue } from '../domain/json.js';
import type { Directory } from './directory.js';
import type { StoreObserver } from './store-observer.js';

/** What the service asks of a database. */
export interface Store {
  /** For people: which database, and where. */
  readonly location: string;
  /** Tenants, their settings and their keys. */
  readonly directory: Directory;

  /** Stores all patches of one request or none; resolves once they would survive a power cut. */
  upsert(request: UpsertRequest): Promise<UpsertCounts>;
  findAccount(tenantId: number, accountId: string): Promise<Account | undefined>;
  /** Oldest first. */
  history(tenantId: number, accountId: string): Promise<AccountChange[]>;
  /** The stored values of one field over all accounts that have it. */
  fieldValues(tenantId: number, field: string): AsyncIterable<JsonValue>;

  recordKeyUse(uses: readonly KeyUse[]): Promise<void>;
  /**
   * Takes some of the requests that a key may make in a minute (counted from 1970), so that all processes on this
   * database together take no more than the limit.
   */
  leaseRequests(keyId: string, minute: number, limit: number): Promise<RequestLease>;
  /** Tells this observer from now on, and no other. */
  observe(observer: StoreObserver): void;
  /** How many records wait to be stored; with SQLite, those being written included. */
  waitingRecords(): number;
  /** Rejects where the database cannot be used now. */
  check(): Promise<void>;
  /** Finishes what was submitted, then lets go of the database. */
  close(): Promise<void>;
}

export interface UpsertRequest {
  readonly tenantId: number;
  readonly requestId: string;
  readonly keyId: string;
  readonly at: number;
  /** Applied in order; the same account may come twice. */
  readonly patches: readonly AccountPatch[];
  /** Size of the request as received: what it weighs in the queue. */
  readonly bytes: number;
}

export type UpsertCounts = Readonly<Record<Outcome, number>>;

export interface AccountChange {
  readonly revision: number;
  readonly at: number;
  readonly requestId: string;
  readonly keyId: string;
  readonly changes: FieldChanges;
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

/** The write queue is full: nothing was stored, and the same request may be sent again in a moment. */
export class QueueFull extends Error {}

/** The database cannot be opened; the message tells the operator why and what to do. */
export class StoreUnusable extends Error {}
