import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { UpsertRequest } from '../requests.js';
import { MAX_GROUP_RECORDS } from '../write/write-backlog.js';
import { openConnection } from './connection.js';
import { SqliteAccountWriter } from './sqlite-account-writer.js';
import type { WriterCall, WriterConnection, WriterReply } from './writer-thread.js';

const port = parentPort;
if (port === null) throw new Error('This module runs in a worker thread.');
const { file, ...options }: WriterConnection = workerData;
const db = openConnection(file, options);
const writer = new SqliteAccountWriter(db);

// Takes all messages that have arrived, up to the size of a group, and commits their requests together.
port.on('message', (first: WriterCall) => {
  const group: UpsertRequest[] = [];
  const startedAt = performance.now();
  let records = 0;
  let call: WriterCall | undefined = first;
  while (call !== undefined && 'requests' in call) {
    group.push(...call.requests);
    for (const { patches } of call.requests) records += patches.length;
    call = records < MAX_GROUP_RECORDS ? receiveMessageOnPort(port)?.message : undefined;
  }
  if (group.length > 0) reply(writer.write(group), startedAt);
  if (call === undefined) return;
  if ('keyUses' in call) return reply([recordKeyUse(call.keyUses)], startedAt);
  // Without a listener on the port the thread ends.
  port.close();
  db.close();
});

function reply(outcomes: WriterReply['outcomes'], startedAt: number): void {
  const seconds = (performance.now() - startedAt) / 1_000;
  port?.postMessage({ outcomes, seconds } satisfies WriterReply);
}

function recordKeyUse(
  uses: Parameters<SqliteAccountWriter['recordKeyUse']>[0],
): WriterReply['outcomes'][number] {
  try {
    writer.recordKeyUse(uses);
    return {};
  } catch (error) {
    return { error: error as Error };
  }
}
