import { AccountReader } from '../account-reader.js';
import { Directory } from '../directory.js';
import { GroupCommit, type QueueLimits } from '../group-commit.js';
import type { Migration } from '../migrations/all-migrations.js';
import type { Store } from '../store.js';
import { openSqliteDatabase } from './open-sqlite-database.js';
import { WriterThread } from './writer-thread.js';

export interface SqliteOptions {
  readonly dataDir: string;
  /** Whether this process serves requests: only one at a time may. */
  readonly serving: boolean;
  readonly queueLimits: QueueLimits;
  readonly migrations: readonly Migration[];
}

export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { dataDir, serving, migrations, queueLimits } = options;
  const { file, db, close } = await openSqliteDatabase({ dataDir, lock: serving, migrations });
  const writer = new WriterThread(file);
  // At once: later, a newer version may have been built in the place of the code it runs.
  if (serving) writer.start();
  const directory = new Directory(db);
  const reader = new AccountReader(db);
  // One file takes one writer, so everything stands in one queue.
  const queue = { limits: queueLimits, laneOf: () => 0, width: 1, laneWidth: 1 };
  const writes = new GroupCommit((group) => writer.write(group), queue);
  return {
    location: `SQLite, ${file}`,
    directory,
    upsert: (request) => writes.submit(request),
    findAccount: (tenantId, accountId) => reader.find(tenantId, accountId),
    history: (tenantId, accountId) => reader.history(tenantId, accountId),
    fieldValues: (tenantId, field) => reader.fieldValues(tenantId, field),
    recordKeyUse: (uses) => writer.recordKeyUse(uses),
    check: async () => {
      await directory.version();
    },
    close: async () => {
      await writes.idle();
      await writer.close();
      await close();
    },
  };
}
