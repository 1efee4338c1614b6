import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { openReadOnly } from './connection.js';

/** How long the file stays locked after the reader has begun. */
const LOCKED_MS = 100;

/** A thread that locks the whole file, and releases it some time after it is notified. */
const LOCKING = `
  const { parentPort, workerData: { file, isReading } } = require('node:worker_threads');
  const { DatabaseSync } = require('@photostructure/sqlite');
  const db = new DatabaseSync(file);
  db.exec('create table t (x); insert into t values (1); begin exclusive');
  parentPort.postMessage('locked');
  Atomics.wait(isReading, 0, 0);
  Atomics.wait(isReading, 0, 1, ${LOCKED_MS});
  db.exec('commit');
  db.close();
`;

it('reads a file after the connection that locks it has released it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'account-sync-'));
  const file = join(directory, 'a.db');
  const isReading = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(LOCKING, { eval: true, workerData: { file, isReading } });
  onTestFinished(async () => {
    await worker.terminate();
    rmSync(directory, { recursive: true });
  });
  expect(await once(worker, 'message')).toEqual(['locked']);
  const db = openReadOnly(file);
  Atomics.store(isReading, 0, 1);
  Atomics.notify(isReading, 0);
  expect(db.prepare('select x from t').all()).toEqual([{ x: 1 }]);
  db.close();
});
