import { randomUUID } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openStore } from '../store/open-store.js';
import { Deliverer } from './deliverer.js';
import type { DeliveryCounts, DeliveryReport, DeliveryWorkerData } from './delivery-thread.js';
import { HostPolicy } from './host-policy.js';
import { MessageSender } from './post-message.js';

if (parentPort === null) throw new Error('This module runs in a worker thread.');
const port = parentPort;
const { database, privateHosts }: DeliveryWorkerData = workerData;

// Where processors are short, requests come first. Only Linux has priorities of threads.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** While the database is away, every poll fails: one report in this time is enough. */
const ERRORS_MS = 10_000;
const COUNTS_MS = 1_000;

const store = await openStore({ database, mustExist: true });
const sender = new MessageSender(new HostPolicy(privateHosts));
const counts: DeliveryCounts = { taken: 0, failed: 0, events: 0 };
let failedAt = Number.NEGATIVE_INFINITY;
const deliverer = new Deliverer({
  store,
  sender,
  holder: randomUUID(),
  onAttempt: ({ isTaken, events }) => {
    counts[isTaken ? 'taken' : 'failed'] += 1;
    if (isTaken) counts.events += events;
  },
  onError: (error) => {
    if (performance.now() - failedAt < ERRORS_MS) return;
    failedAt = performance.now();
    report({ error: error instanceof Error ? error : new Error(String(error)) });
  },
});
const timer = setInterval(reportCounts, COUNTS_MS);

port.once('message', async () => {
  clearInterval(timer);
  await deliverer.close();
  sender.close();
  await store.close();
  reportCounts();
  port.close();
});

function reportCounts(): void {
  if (counts.taken + counts.failed === 0) return;
  report({ counts: { ...counts } });
  Object.assign(counts, { taken: 0, failed: 0, events: 0 });
}

function report(message: DeliveryReport): void {
  port.postMessage(message);
}
