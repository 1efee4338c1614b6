import type { AccountPatch, Outcome } from '../domain/account.js';
import type { Chores } from './chores/chores.js';
import type { IndexBuilds } from './chores/index-builds.js';
import type { Rejections } from './chores/rejections.js';
import type { Directory } from './directory/directory.js';
import type { DryRun } from './dry-run.js';
import type { Dialect } from './migrations/all-migrations.js';
import type { AccountPages } from './reading/account-pages.js';
import type { AccountReader } from './reading/account-reader.js';
import type { AccountTree } from './reading/account-tree.js';
import type { ChangeFeed } from './reading/change-feed.js';
import type { RecentAccounts } from './reading/recent-accounts.js';
import type { Statistics } from './reading/statistics.js';
import type { StoreObserver } from './store-observer.js';

/** What the service asks of a database. */
export interface Store {
  /** For people: which database, and where. */
  readonly location: string;
  readonly dialect: Dialect;
  /** Tenants, their settings and their keys. */
  readonly directory: Directory;

  /** Stores all patches of one request or none; resolves once they would survive a power cut. */
  upsert(request: UpsertRequest): Promise<UpsertCounts>;
  /** Single accounts and their history. */
  readonly accounts: AccountReader;
  readonly pages: AccountPages;
  readonly tree: AccountTree;
  readonly feed: ChangeFeed;
  readonly recent: RecentAccounts;
  readonly statistics: Statistics;
  readonly rejections: Rejections;
  /** Writes that nobody waits for. */
  readonly chores: Chores;
  readonly indexBuilds: IndexBuilds;

  /** Tells what upserts would do, until it is closed. */
  dryRun(): DryRun;

  /** Calls the listener with a tenant that this process has changed, until the function it gives is called. */
  watch(listener: (tenantId: number) => void): () => void;

  recordKeyUse(uses: readonly KeyUse[]): Promise<void>;
  /**
   * Takes some of the requests that a key may make in a minute (counted from 1970), so that all processes on this
   * database together take no more than the limit.
   */
  leaseRequests(keyId: string, minute: number, limit: number): Promise<RequestLease>;
  /** Tells this observer, too, from now on. */
  observe(observer: Partial<StoreObserver>): void;
  /** How many records wait to be stored; with SQLite, those being written included. */
  waitingRecords(): number;
  /** In bytes, where the data are; `undefined` where that is another machine's affair. */
  freeSpace(): Promise<number | undefined>;
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

/** The write queue is full: nothing was stored, and the same request may be sent again in a moment. */
export class QueueFull extends Error {}

/** A name that must be unique is in use; nothing was changed. */
export class Taken extends Error {}

/** The tenant declares as many attributes as it may; nothing was changed. */
export class TooManyAttributes extends Error {
  readonly code = 'too_many_attributes';

  constructor(limit: number) {
    super(
      `A tenant may not declare more than ${limit} attributes. Remove one that is no longer needed first.`,
    );
  }
}

/** The disk is full, or fails: nothing was stored, and the same request succeeds once there is room. */
export class DiskFailure extends Error {}

/** The database cannot be opened; the message tells the operator why and what to do. */
export class StoreUnusable extends Error {}

/** No server has made a database yet in the place where a command looks for one. */
export class MissingDatabase extends StoreUnusable {}
