import { dirname } from 'node:path';
import { assembleStore } from '../assemble-store.js';
import { SQLITE } from '../dialect.js';
import { freeSpace } from '../disk-space.js';
import { StoreObservers } from '../observer.js';
import type { Migration, MigrationProgress } from '../schema/migrations.js';
import type { Store } from '../store.js';
import type { RequestLimits } from '../write/prepare-request.js';
import type { QueueLimits } from '../write/write-backlog.js';
import { BackgroundThread } from './background-thread.js';
import { PATIENT_MS } from './connection.js';
import { openSqliteDatabase } from './open-sqlite-database.js';
import { SqliteIngest } from './sqlite-ingest.js';

export interface SqliteOptions {
  readonly dataDir: string;
  /** Whether this process serves requests: only one process at a time can. */
  readonly serving: boolean;
  readonly mustExist: boolean;
  readonly rejectionDays: number;
  readonly queueLimits: QueueLimits;
  readonly requestLimits: RequestLimits;
  readonly migrations: readonly Migration[];
  readonly onMigration: ((progress: MigrationProgress) => void) | undefined;
}

export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { dataDir, serving, mustExist, rejectionDays, migrations, onMigration, queueLimits, requestLimits } =
    options;
  const observers = new StoreObservers();
  const onFailure = () => observers.databaseFailed();
  const { file, db, close } = await openSqliteDatabase({
    dataDir,
    lock: serving,
    mustExist,
    migrations,
    onMigration,
    onFailure,
  });
  // The threads start now: later, an upgrade may have replaced the code that they load.
  const background = serving ? new BackgroundThread(file, observers) : undefined;
  const writer = new SqliteIngest({
    file,
    waitMs: serving ? undefined : PATIENT_MS,
    limits: requestLimits,
    queueLimits,
    observers,
    onWritten: (records) => background?.written(records),
  });
  if (serving) writer.start();
  return assembleStore({
    location: `SQLite, ${file}`,
    db,
    dialect: SQLITE,
    serving,
    rejectionDays,
    writer,
    jobs: background?.jobs,
    observers,
    // Only one process serves, so it gets the whole limit.
    leaseRequests: async (_keyId, _minute, limit) => ({ granted: limit, remaining: 0 }),
    freeSpace: () => freeSpace(dirname(file)),
    close: async () => {
      await writer.close();
      await background?.close();
      await close();
    },
  });
}
