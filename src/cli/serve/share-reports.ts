import cluster, { type Worker } from 'node:cluster';
import type { Report, ShareReports } from '../../http/observability/metrics.js';

/**
 * Collects the metrics of all workers, because a scrape of `/metrics` reaches only one of them.
 *
 *   worker A          primary process        every worker
 *      | wanted, id ------>| asked, round ------>|
 *      |                   |<------ given, round |
 *      |<----- gathered, id|
 *
 * A round ends when every worker has responded, or after RESPONSE_MS without the missing ones.
 */
type Message =
  /** From a worker that needs the metrics of all workers. */
  | { readonly reports: 'wanted'; readonly id: number }
  /** From the primary process to every worker, and its response. */
  | { readonly reports: 'asked'; readonly round: number }
  | { readonly reports: 'given'; readonly round: number; readonly report: Report }
  /** To the worker that sent `wanted`. */
  | { readonly reports: 'gathered'; readonly id: number; readonly all: Report[] };

/** A worker that does not respond within this time is left out. */
const RESPONSE_MS = 1_000;

/** Primary process: collects the reports of all workers when one of them asks. */
export function gatherReports(): void {
  const openRounds = new Map<number, (from: Worker, report: Report) => void>();
  let lastRound = 0;
  const gather = (requester: Worker, id: number) => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const missing = new Set(workers);
    const all: Report[] = [];
    lastRound += 1;
    const round = lastRound;
    const end = () => {
      clearTimeout(timer);
      openRounds.delete(round);
      send(requester, { reports: 'gathered', id, all });
    };
    const timer = setTimeout(end, RESPONSE_MS);
    openRounds.set(round, (from, report) => {
      all.push(report);
      missing.delete(from);
      if (missing.size === 0) end();
    });
    for (const worker of workers) send(worker, { reports: 'asked', round });
  };
  cluster.on('message', (worker, message: Message) => {
    if (message.reports === 'wanted') gather(worker, message.id);
    else if (message.reports === 'given') openRounds.get(message.round)?.(worker, message.report);
  });
}

/** Worker: returns a function that resolves with the reports of all workers. */
export const shareReports: ShareReports = (own) => {
  const waiting = new Map<number, (all: Report[]) => void>();
  let lastId = 0;
  const { worker } = cluster;
  worker?.on('message', async (message: Message) => {
    if (message.reports === 'asked') {
      send(worker, { reports: 'given', round: message.round, report: await own() });
    } else if (message.reports === 'gathered') {
      waiting.get(message.id)?.(message.all);
      waiting.delete(message.id);
    }
  });
  return () =>
    new Promise((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      if (worker !== undefined) send(worker, { reports: 'wanted', id: lastId });
    });
};

/** Ignores send errors: a worker that has just exited needs no message. */
function send(worker: Worker, message: Message): void {
  worker.send(message, () => {});
}
