import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const LOOK_EVERY_MS = 200;

/** Copies a database into an empty file, in a thread of its own, so that this one can tell how far it is. */
export async function vacuumInThread(
  file: string,
  into: string,
  report: (bytes: number, total: number) => void,
): Promise<void> {
  const total = statSync(file).size;
  const worker = new Worker(new URL('./vacuum-worker.js', import.meta.url), { workerData: { file, into } });
  // Another backup to the same name may have taken the file away; that is told at the end.
  const written = () => statSync(into, { throwIfNoEntry: false })?.size ?? 0;
  const timer = setInterval(() => report(Math.min(written(), total - 1), total), LOOK_EVERY_MS);
  try {
    await once(worker, 'exit');
  } finally {
    clearInterval(timer);
  }
  report(total, total);
}
