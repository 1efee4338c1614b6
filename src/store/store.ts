import type { AccountPages } from './accounts/account-pages.js';
import type { AccountReader } from './accounts/account-reader.js';
import type { AccountTree } from './accounts/account-tree.js';
import type { RecentAccounts } from './accounts/recent-accounts.js';
import type { AccountHistory } from './changes/account-history.js';
import type { ChangeFeed } from './changes/change-feed.js';
import type { Rejections } from './changes/rejections.js';
import type { Statistics } from './changes/statistics.js';
import type { DialectName } from './dialect.js';
import type { IndexBuilds } from './jobs/index-builds.js';
import type { Jobs } from './jobs/jobs.js';
import type { StoreObserver } from './observer.js';
import type { KeyUse, RequestLease, UpsertCounts, UpsertRequest } from './requests.js';
import type { Directory } from './tenants/directory.js';
import type { DryRun } from './write/dry-run.js';

/** What the service asks of a database. */
export interface Store {
  /** For people: which database, and where. */
  readonly location: string;
  readonly dialect: DialectName;
  /** Tenants, their settings and their keys. */
  readonly directory: Directory;

  /** Stores all patches of one request or none; resolves once they would survive a power cut. */
  upsert(request: UpsertRequest): Promise<UpsertCounts>;
  /** Single accounts. */
  readonly accounts: AccountReader;
  readonly history: AccountHistory;
  readonly pages: AccountPages;
  readonly tree: AccountTree;
  readonly feed: ChangeFeed;
  readonly recent: RecentAccounts;
  readonly statistics: Statistics;
  readonly rejections: Rejections;
  /** Writes that nobody waits for. */
  readonly jobs: Jobs;
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
