import { assembleStore } from '../assemble-store.js';
import type { QueueLimits } from '../group-commit.js';
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
  return assembleStore({
    location: `SQLite, ${file}`,
    db,
    writer,
    // One file takes one writer, so everything stands in one queue.
    queue: { limits: queueLimits, laneOf: () => 0, width: 1, laneWidth: 1 },
    close: async () => {
      await writer.close();
      await close();
    },
  });
}
