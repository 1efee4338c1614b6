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
import type { PushedAccounts } from './runs/pushed-accounts.js';
import type { Runs } from './runs/runs.js';
import type { Undos } from './runs/undos.js';
import type { Directory } from './tenants/directory.js';
import type { DeliveryLog } from './webhooks/delivery-log.js';
import type { FeedConditions } from './webhooks/feed-conditions.js';
import type { WebhookDeliveries } from './webhooks/webhook-deliveries.js';
import type { Webhooks } from './webhooks/webhooks.js';
import type { ImportOptions, ImportSession } from './write/import-run.js';
import type { Received, ReceivedRequest } from './write/received-request.js';
import type { UndoChanges } from './write/undo-changes.js';

/** The port between the service and a database: everything the service does with stored data. */
export interface Store {
  /** For messages: which database, and where. */
  readonly location: string;
  readonly dialect: DialectName;
  /** Tenants, their settings and their keys. */
  readonly directory: Directory;

  /** Parses and validates a request of the contract, and stores all its records or none; durable as `upsert` is. */
  receive(request: ReceivedRequest): Promise<Received>;
  /** Begins an import, whose records are stored or rejected independently. The caller has to close it. */
  beginImport(options: ImportOptions): ImportSession;
  /** Stores all patches of one request or none. Resolves once they are durable, even in a power cut. */
  upsert(request: UpsertRequest): Promise<UpsertCounts>;
  /** Single accounts. */
  readonly accounts: AccountReader;
  readonly history: AccountHistory;
  /** Listings by id or name. */
  readonly pages: AccountPages;
  readonly tree: AccountTree;
  readonly feed: ChangeFeed;
  /** Listings by last change. */
  readonly recent: RecentAccounts;
  readonly statistics: Statistics;
  readonly rejections: Rejections;
  readonly runs: Runs;
  /** The accounts that tracked sources have pushed. */
  readonly pushed: Pick<PushedAccounts, 'tracking'>;
  /** The runs that undo others. */
  readonly undos: Undos;
  /** Takes back the changes of a run. */
  readonly undo: UndoChanges;
  readonly webhooks: Webhooks;
  /** What the process that delivers to webhooks reads and stores. */
  readonly deliveries: WebhookDeliveries;
  readonly deliveryLog: DeliveryLog;
  /** Events that are looked for at intervals. */
  readonly conditions: FeedConditions;
  /** Background jobs. */
  readonly jobs: Jobs;
  readonly indexBuilds: IndexBuilds;

  /**
   * Calls the listener with the tenant id after each upsert by this process that changed an account; changes by other
   * processes are not reported. Returns a function that stops it.
   */
  watch(listener: (tenantId: number) => void): () => void;

  recordKeyUse(uses: readonly KeyUse[]): Promise<void>;
  /**
   * Leases some of the requests that a key or user may make in one minute (minutes since 1970). All processes on this database
   * together get no more than the limit.
   */
  leaseRequests(senderId: string, minute: number, limit: number): Promise<RequestLease>;
  /** Adds an observer of the events of this store. */
  observe(observer: Partial<StoreObserver>): void;
  /** The number of records that wait to be stored; on SQLite including those being written. */
  waitingRecords(): number;
  /** Free bytes on the disk of the database; undefined on PostgreSQL, whose disk this process cannot see. */
  freeSpace(): Promise<number | undefined>;
  /** Rejects if the database cannot be used now. */
  check(): Promise<void>;
  /** Finishes all submitted requests, then closes the database. */
  close(): Promise<void>;
}
