import { parentPort, workerData } from 'node:worker_threads';
import { AccountWriter } from './account-writer.js';
import { openConnection } from './connection.js';
import type { WriterCall, WriterReply } from './writer-thread.js';

const port = parentPort;
if (port === null) throw new Error('This module runs in a worker thread.');
const db = openConnection(workerData.file);
const writer = new AccountWriter(db);

port.on('message', ({ id, write, recordKeyUse }: WriterCall) => {
  const reply = (answer: Omit<WriterReply, 'id'>) =>
    port.postMessage({ id, ...answer } satisfies WriterReply);
  try {
    if (write !== undefined) return reply({ outcomes: writer.write(JSON.parse(write)) });
    if (recordKeyUse !== undefined) {
      writer.recordKeyUse(recordKeyUse);
      return reply({});
    }
    // The last call: without a listener the thread ends.
    port.close();
    db.close();
  } catch (error) {
    reply({ error: error as Error });
  }
});
