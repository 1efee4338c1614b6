import { parentPort, workerData } from 'node:worker_threads';
import type { UpsertOutcome } from '../requests.js';
import { GroupCommit } from '../write/group-commit.js';
import { type IngestTask, IngestWorker, sumCounts } from '../write/ingest-worker.js';
import { ConnectionPools } from './connection-pools.js';
import { PostgresAccountWriter } from './postgres-account-writer.js';
import type { IngestWorkerData } from './postgres-ingest.js';

if (parentPort === null) throw new Error('This module runs in a worker thread.');
const { servers, purpose, connections, limits }: IngestWorkerData = workerData;
const pools = new ConnectionPools(servers, { size: connections, purpose, areWriters: true });
const writer = new PostgresAccountWriter(pools);
/** While the database commits one group of a tenant, this thread prepares the next. */
const writes = new GroupCommit(commit, { width: connections, laneWidth: 2 });
const ingest = new IngestWorker(parentPort, limits, {
  submit: (task) => writes.submit(task),
  recordKeyUse: (uses) => writer.recordKeyUse(uses),
  read: (tenantId, ids) => writer.read(tenantId, ids),
  close: async () => {
    await writes.idle();
    await pools.end();
  },
});
parentPort.on('message', (call) => ingest.handle(call));

async function commit(group: readonly IngestTask[]): Promise<void> {
  const startedAt = performance.now();
  const outcomes = await writer.write(group.map(({ upsert }) => upsert));
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const [i, { settle }] of group.entries()) settle(outcomes[i] as UpsertOutcome);
  ingest.flush({ counts: sumCounts(outcomes), seconds });
}
