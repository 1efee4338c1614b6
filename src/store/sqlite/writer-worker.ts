import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { recordsOf, type UpsertOutcome } from '../requests.js';
import type { IngestCall } from '../write/ingest-messages.js';
import { type IngestDatabase, type IngestTask, IngestWorker, sumCounts } from '../write/ingest-worker.js';
import { MAX_GROUP_RECORDS } from '../write/write-backlog.js';
import { openConnection } from './connection.js';
import { SqliteAccountWriter } from './sqlite-account-writer.js';
import { asDiskFailure } from './sqlite-errors.js';
import type { WriterData } from './sqlite-ingest.js';

if (parentPort === null) throw new Error('This module runs in a worker thread.');
const { file, waitMs, limits, preparer }: WriterData = workerData;
const db = openConnection(file, { ...(waitMs !== undefined && { waitMs }) });
const writer = new SqliteAccountWriter(db);

/** The group to write next. */
let group: IngestTask[] = [];
let records = 0;

const database: IngestDatabase = {
  submit(task) {
    group.push(task);
    records += recordsOf(task.upsert);
  },
  recordKeyUse: async (uses) => writer.recordKeyUse(uses),
  read: async () => {
    throw new Error('Imports run in the preparing thread.');
  },
  close: async () => {
    commit();
    preparer.close();
    db.close();
  },
};
const eventLoop = new IngestWorker(parentPort, limits, database);
const workers = new Map([
  [parentPort, eventLoop],
  [preparer, new IngestWorker(preparer, limits, database)],
]);
for (const [port, worker] of workers) {
  port.on('message', (call: IngestCall) => {
    worker.handle(call);
    takeArrived();
    commit();
  });
}

/** Takes everything that has arrived meanwhile, up to the size of a group, from both ports in turn. */
function takeArrived(): void {
  for (let hasMore = true; hasMore && records < MAX_GROUP_RECORDS; ) {
    hasMore = false;
    for (const [port, worker] of workers) {
      const next = receiveMessageOnPort(port);
      if (next === undefined) continue;
      worker.handle(next.message);
      hasMore = true;
    }
  }
}

/** Commits the group in one transaction. */
function commit(): void {
  if (group.length === 0) return;
  const tasks = group;
  group = [];
  records = 0;
  const startedAt = performance.now();
  const outcomes = writer.write(tasks.map(({ upsert }) => upsert));
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const [i, { settle }] of tasks.entries()) settle(withDiskFailure(outcomes[i] as UpsertOutcome));
  const committed = { counts: sumCounts(outcomes), seconds };
  for (const worker of workers.values()) worker.flush(worker === eventLoop ? committed : undefined);
}

function withDiskFailure(outcome: UpsertOutcome): UpsertOutcome {
  return 'error' in outcome ? { error: asDiskFailure(outcome.error) } : outcome;
}
