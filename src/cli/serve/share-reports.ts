import cluster, { type Worker } from 'node:cluster';
import type { Report, ShareReports } from '../../http/observability/metrics.js';

/** Between workers and the process that looks after them. */
type Message =
  /** From a worker, which was asked for the metrics of all. */
  | { readonly reports: 'wanted'; readonly id: number }
  /** To every worker, and back from it. */
  | { readonly reports: 'asked'; readonly round: number }
  | { readonly reports: 'given'; readonly round: number; readonly report: Report }
  /** To the worker that wanted them. */
  | { readonly reports: 'gathered'; readonly id: number; readonly all: Report[] };

/** A worker that does not answer within this time is left out. */
const ANSWER_MS = 1_000;

/** For the process that looks after the workers: gathers what they report whenever one of them wants it. */
export function gatherReports(): void {
  const rounds = new Map<number, (from: Worker, report: Report) => void>();
  let begun = 0;
  const gather = (asker: Worker, id: number) => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const missing = new Set(workers);
    const all: Report[] = [];
    begun += 1;
    const round = begun;
    const end = () => {
      clearTimeout(timer);
      rounds.delete(round);
      send(asker, { reports: 'gathered', id, all });
    };
    const timer = setTimeout(end, ANSWER_MS);
    rounds.set(round, (from, report) => {
      all.push(report);
      missing.delete(from);
      if (missing.size === 0) end();
    });
    for (const worker of workers) send(worker, { reports: 'asked', round });
  };
  cluster.on('message', (worker, message: Message) => {
    if (message.reports === 'wanted') gather(worker, message.id);
    else if (message.reports === 'given') rounds.get(message.round)?.(worker, message.report);
  });
}

/** For a worker. */
export const shareReports: ShareReports = (own) => {
  const waiting = new Map<number, (all: Report[]) => void>();
  let asked = 0;
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
      asked += 1;
      waiting.set(asked, resolve);
      if (worker !== undefined) send(worker, { reports: 'wanted', id: asked });
    });
};

/** One that has just ended cannot be told, and need not be. */
function send(worker: Worker, message: Message): void {
  worker.send(message, () => {});
}
