import type { Kysely } from 'kysely';
import type { Outcome } from '../domain/account.js';
import { AccountPages } from './accounts/account-pages.js';
import { AccountReader } from './accounts/account-reader.js';
import { AccountTree } from './accounts/account-tree.js';
import { RecentAccounts } from './accounts/recent-accounts.js';
import { AccountHistory } from './changes/account-history.js';
import { ChangeFeed } from './changes/change-feed.js';
import { Rejections } from './changes/rejections.js';
import { Statistics } from './changes/statistics.js';
import type { Dialect } from './dialect.js';
import { IndexBuilds } from './jobs/index-builds.js';
import { createJobs, type Jobs } from './jobs/jobs.js';
import { Pruner } from './jobs/pruner.js';
import { StatisticsJob } from './jobs/statistics-job.js';
import type { StoreObservers } from './observer.js';
import { hasChanges, noCounts } from './requests.js';
import { PushedAccounts } from './runs/pushed-accounts.js';
import { Runs } from './runs/runs.js';
import { Undos } from './runs/undos.js';
import type { Tables } from './schema/tables.js';
import type { Store } from './store.js';
import { Directory } from './tenants/directory.js';
import { DeliveryLog } from './webhooks/delivery-log.js';
import { FeedConditions } from './webhooks/feed-conditions.js';
import { WebhookDeliveries } from './webhooks/webhook-deliveries.js';
import { Webhooks } from './webhooks/webhooks.js';
import type { ImportSession } from './write/import-run.js';
import { UndoChanges } from './write/undo-changes.js';

/** The parts of a store that differ between SQLite and PostgreSQL. */
export interface StoreParts {
  readonly location: string;
  readonly db: Kysely<Tables>;
  readonly dialect: Dialect;
  readonly serving: boolean;
  /** How long rejections are kept, for tenants without a setting of their own. */
  readonly rejectionDays: number;
  readonly writer: Pick<Store, 'receive' | 'upsert' | 'beginImport' | 'recordKeyUse' | 'waitingRecords'> & {
    /** Resolves when all of its threads reply. */
    ping(): Promise<void>;
  };
  readonly leaseRequests: Store['leaseRequests'];
  readonly freeSpace: Store['freeSpace'];
  readonly observers: StoreObservers;
  /** Only if jobs do not run on `db`. */
  readonly jobs?: Jobs | undefined;
  readonly close: Store['close'];
}

export async function assembleStore(parts: StoreParts): Promise<Store> {
  const { location, db, dialect, writer, observers, leaseRequests } = parts;
  const directory = new Directory(db, dialect);
  const accounts = new AccountReader(db);
  const pages = new AccountPages(db, dialect);
  const feed = new ChangeFeed(db, dialect);
  const jobs = parts.jobs ?? createJobs(db, dialect);
  const statisticsJob = parts.serving
    ? new StatisticsJob(jobs, await directory.tenantIds(), () => observers.databaseFailed())
    : undefined;
  const indexBuilds = new IndexBuilds(jobs, observers);
  if (parts.serving) await resumeIndexes(directory, indexBuilds);
  const pruner = parts.serving ? new Pruner(jobs, parts.rejectionDays, observers) : undefined;
  const listeners = new Set<(tenantId: number) => void>();
  const onStored = (tenantId: number, counts: Readonly<Record<Outcome, number>>) => {
    if (!hasChanges(counts)) return;
    statisticsJob?.markChanged(tenantId);
    for (const listener of listeners) listener(tenantId);
    if (counts.deleted > 0) pruner?.accountDeleted();
  };
  return {
    location,
    dialect: dialect.name,
    directory,
    accounts,
    history: new AccountHistory(db, dialect),
    pages,
    tree: new AccountTree(db, accounts, pages),
    feed,
    recent: new RecentAccounts(db, dialect, feed, accounts),
    statistics: new Statistics(db),
    rejections: new Rejections(db),
    runs: new Runs(db, dialect),
    pushed: new PushedAccounts(db),
    undos: new Undos(db),
    undo: new UndoChanges(db, dialect),
    webhooks: new Webhooks(db),
    deliveries: new WebhookDeliveries(db, dialect),
    deliveryLog: new DeliveryLog(db),
    conditions: new FeedConditions(db, dialect),
    jobs,
    indexBuilds,
    receive: async (request) => {
      const received = await writer.receive(request);
      if ('counts' in received) onStored(request.tenantId, received.counts);
      return received;
    },
    upsert: async (request) => {
      const counts = await writer.upsert(request);
      onStored(request.tenantId, counts);
      return counts;
    },
    beginImport: (options) => {
      const session = writer.beginImport(options);
      const push: ImportSession['push'] = (...args) =>
        session.push(...args).then((step) => {
          if (!options.isDryRun) onStored(options.tenantId, { ...noCounts(), ...step.counts });
          return step;
        });
      return { push, close: () => session.close() };
    },
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    recordKeyUse: (uses) => writer.recordKeyUse(uses),
    observe: (observer) => {
      observers.observers.push(observer);
    },
    waitingRecords: () => writer.waitingRecords(),
    check: async () => {
      await Promise.all([directory.version(), writer.ping()]);
    },
    leaseRequests,
    freeSpace: parts.freeSpace,
    close: async () => {
      await indexBuilds.close();
      await pruner?.close();
      await statisticsJob?.close();
      await parts.close();
    },
  };
}

/** Continues index builds that a previous process left incomplete; no request waits for them. */
async function resumeIndexes(directory: Directory, indexBuilds: IndexBuilds): Promise<void> {
  for (const { tenantId, name } of await directory.attributes.unfinished()) {
    // `IndexBuilds` reports failures and tries again.
    indexBuilds.build(tenantId, name).catch(() => {});
  }
}
