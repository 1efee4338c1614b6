import { parentPort, workerData } from 'node:worker_threads';
import type { Account } from '../../domain/account.js';
import type { UpsertCounts, UpsertOutcome } from '../requests.js';
import { errorOf, type IngestFailure } from '../write/ingest-failure.js';
import type { IngestCall, IngestReply } from '../write/ingest-messages.js';
import { IngestWorker } from '../write/ingest-worker.js';
import { type AccountValues, accountFromValues, prepareSelect } from './account-statements.js';
import { openConnection } from './connection.js';
import { asDiskFailure } from './sqlite-errors.js';
import type { PreparerData } from './sqlite-ingest.js';

if (parentPort === null) throw new Error('This module runs in a worker thread.');
const { file, limits, writer }: PreparerData = workerData;
const db = openConnection(file, { cacheKiB: 4_096 });
const select = prepareSelect(db);
/**
 * Settles the requests that the writer has not replied to. The requests themselves are not kept: their records would
 * make each collection of young objects longer.
 */
const waiting = new Map<number, (outcome: UpsertOutcome) => void>();
let lastId = 0;
let onIdle = () => {};

const ingest = new IngestWorker(parentPort, limits, {
  submit({ upsert, settle }) {
    lastId += 1;
    waiting.set(lastId, settle);
    writer.postMessage({ id: lastId, upsert } satisfies IngestCall);
  },
  recordKeyUse: async () => {
    throw new Error('The writer thread records the use of keys.');
  },
  read: async (tenantId, ids) => readAccounts(tenantId, ids),
  close: async () => {
    if (waiting.size > 0) {
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    }
    writer.close();
    db.close();
  },
});
parentPort.on('message', (call: IngestCall) => ingest.handle(call));

writer.on('message', ({ replies }: IngestReply) => {
  for (const [id, outcome] of replies as [number, IngestFailure | { upserted: UpsertCounts }][]) {
    waiting.get(id)?.('error' in outcome ? { error: errorOf(outcome) } : { counts: outcome.upserted });
    waiting.delete(id);
  }
  ingest.flush();
  if (waiting.size === 0) onIdle();
});

function readAccounts(tenantId: number, ids: readonly string[]): Map<string, Account> {
  try {
    const rows: AccountValues[] = select.all(JSON.stringify(ids), tenantId);
    return new Map(rows.map((values) => [values[0], accountFromValues(values).account]));
  } catch (error) {
    throw asDiskFailure(error as Error);
  }
}
