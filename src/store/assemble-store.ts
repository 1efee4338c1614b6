import type { Kysely } from 'kysely';
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
import { type Chores, choresOver } from './jobs/jobs.js';
import { Pruner } from './jobs/pruner.js';
import { ChangeCounter } from './jobs/statistics-job.js';
import type { Observation } from './observer.js';
import type { UpsertRequest } from './requests.js';
import type { Tables } from './schema/tables.js';
import type { Store } from './store.js';
import { Directory } from './tenants/directory.js';
import { DryRun } from './write/dry-run.js';

/** What differs from database to database. */
export interface StoreParts {
  readonly location: string;
  readonly db: Kysely<Tables>;
  readonly dialect: Dialect;
  readonly serving: boolean;
  /** For tenants that do not say for how long they keep refusals. */
  readonly rejectionDays: number;
  readonly writer: Pick<Store, 'upsert' | 'recordKeyUse' | 'waitingRecords'>;
  readonly leaseRequests: Store['leaseRequests'];
  readonly freeSpace: Store['freeSpace'];
  readonly observation: Observation;
  /** Where they are not done on this connection. */
  readonly chores?: Chores | undefined;
  readonly close: Store['close'];
}

export async function assembleStore(parts: StoreParts): Promise<Store> {
  const { location, db, dialect, writer, observation, leaseRequests } = parts;
  const directory = new Directory(db, dialect);
  const accounts = new AccountReader(db);
  const pages = new AccountPages(db, dialect);
  const feed = new ChangeFeed(db, dialect);
  const chores = parts.chores ?? choresOver(db, dialect);
  const counter = parts.serving
    ? new ChangeCounter(chores, await directory.tenantIds(), () => observation.databaseFailed())
    : undefined;
  const indexBuilds = new IndexBuilds(chores, observation);
  if (parts.serving) await resumeIndexes(directory, indexBuilds);
  const pruner = parts.serving ? new Pruner(chores, parts.rejectionDays, observation) : undefined;
  const listeners = new Set<(tenantId: number) => void>();
  return {
    location,
    dialect: dialect.name,
    directory,
    accounts,
    history: new AccountHistory(db),
    pages,
    tree: new AccountTree(db, accounts, pages),
    feed,
    recent: new RecentAccounts(db, dialect, feed, accounts),
    statistics: new Statistics(db),
    rejections: new Rejections(db),
    chores,
    indexBuilds,
    upsert: async (request: UpsertRequest) => {
      const counts = await writer.upsert(request);
      if (counts.unchanged < request.patches.length) {
        counter?.note(request.tenantId);
        for (const listener of listeners) listener(request.tenantId);
      }
      return counts;
    },
    dryRun: () => new DryRun(accounts),
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    recordKeyUse: (uses) => writer.recordKeyUse(uses),
    observe: (observer) => {
      observation.observers.push(observer);
    },
    waitingRecords: () => writer.waitingRecords(),
    check: async () => {
      await directory.version();
    },
    leaseRequests,
    freeSpace: parts.freeSpace,
    close: async () => {
      await indexBuilds.close();
      await pruner?.close();
      await counter?.close();
      await parts.close();
    },
  };
}

/** Builds what a process left incomplete when it ended; no request waits for it. */
async function resumeIndexes(directory: Directory, indexBuilds: IndexBuilds): Promise<void> {
  for (const { tenantId, name } of await directory.attributes.unfinished()) {
    // What fails is told, and tried again, by the builds themselves.
    indexBuilds.build(tenantId, name).catch(() => {});
  }
}
