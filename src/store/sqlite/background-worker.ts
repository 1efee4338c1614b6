import { parentPort, workerData } from 'node:worker_threads';
import { SQLITE } from '../dialect.js';
import { createJobs } from '../jobs/jobs.js';
import type { BackgroundCall, BackgroundReply } from './background-thread.js';
import { kyselyOver, openConnection, PATIENT_MS } from './connection.js';

const port = parentPort;
if (port === null) throw new Error('This module runs in a worker thread.');
const connection = openConnection(workerData.file, { cacheKiB: 4_096, waitMs: PATIENT_MS });
// Passive: it waits for nobody, and nobody waits for it.
const checkpoint = connection.prepare('pragma wal_checkpoint(passive)');
const db = kyselyOver(connection);
const jobs = createJobs(db, SQLITE);

/** One after the other: they share a connection. */
let last = Promise.resolve();

port.on('message', (call: BackgroundCall) => {
  if (call.job === 'checkpoint') {
    try {
      checkpoint.get();
    } catch {
      // What a full disk prevents now is done with the next.
    }
    reply({ job: 'checkpoint' });
  } else if (call.job === 'end') {
    // Without a listener the thread ends.
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
