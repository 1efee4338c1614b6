import { parentPort, workerData } from 'node:worker_threads';
import { SQLITE } from '../dialect.js';
import { createJobs } from '../jobs/jobs.js';
import type { BackgroundCall, BackgroundReply } from './background-thread.js';
import { openConnection, PATIENT_MS } from './connection.js';
import { kyselyOver } from './kysely-database.js';

const port = parentPort;
if (port === null) throw new Error('This module runs in a worker thread.');
const connection = openConnection(workerData.file, { cacheKiB: 4_096, waitMs: PATIENT_MS });
// A passive checkpoint does not wait for readers or writers, nor do they wait for it.
const checkpoint = connection.prepare('pragma wal_checkpoint(passive)');
const db = kyselyOver(connection);
const jobs = createJobs(db, SQLITE);

/** Jobs run one after another, because they share a connection. */
let last = Promise.resolve();

port.on('message', (call: BackgroundCall) => {
  if (call.job === 'checkpoint') {
    try {
      checkpoint.get();
    } catch {
      // After a failure, for example because the disk is full, the next checkpoint copies these pages too.
    }
    reply({ job: 'checkpoint' });
  } else if (call.job === 'end') {
    // Without a listener on the port the thread ends.
    port.close();
    last = last.then(() => db.destroy());
  } else {
    last = last.then(() => run(call));
  }
});

async function run({ job, id, args }: Extract<BackgroundCall, { id: number }>): Promise<void> {
  try {
    const result = await (jobs[job] as (...args: unknown[]) => Promise<unknown>)(...args);
    reply({ job, id, result });
  } catch (error) {
    reply({ job, id, error: error as Error });
  }
}

function reply(message: BackgroundReply): void {
  port?.postMessage(message);
}
