import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './connection.js';

const port = parentPort;
if (port === null) throw new Error('This module runs in a worker thread.');
const db = openConnection(workerData.file, { cacheKiB: 1_024 });
// Passive: it waits for nobody, and nobody waits for it.
const checkpoint = db.prepare('pragma wal_checkpoint(passive)');

port.on('message', (call: 'checkpoint' | 'end') => {
  if (call === 'checkpoint') {
    try {
      checkpoint.get();
    } catch {
      // What a full disk prevents now is done with the next.
    }
    port.postMessage('done');
  } else {
    // Without a listener the thread ends.
    port.close();
    db.close();
  }
});
