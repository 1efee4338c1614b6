import { type Transferable, Worker } from 'node:worker_threads';

/** Starts an ingest thread. */
export function startThread(module: URL, workerData: object, transferList: Transferable[] = []): Worker {
  return new Worker(module, {
    workerData,
    transferList,
    // Objects of a thread live for one group: 16 MB for young ones, a third of the default, is as fast.
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  });
}
