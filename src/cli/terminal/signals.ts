import cluster from 'node:cluster';

const RELOAD = 'reload';

/** Calls it for each SIGHUP, and in a worker for each that was passed on. */
export function onReload(reload: () => unknown): void {
  process.on('SIGHUP', reload);
  cluster.worker?.on('message', (message: unknown) => message === RELOAD && reload());
}

/** For the process that looks after the workers. One that still starts is not hurt, as by a signal: it reads all anew. */
export function passOnReload(): void {
  process.on('SIGHUP', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.send(RELOAD, () => {});
  });
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Resolves with the first signal that asks this process to stop; the same again ends it at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, resolve);
  });
}

/**
 * The same for a server, where more signals change nothing: a terminal or a supervisor sends one to all processes, and
 * those that started others pass theirs on.
 */
export function firstStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, resolve);
  });
}
