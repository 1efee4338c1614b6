import cluster from 'node:cluster';

const RELOAD = 'reload';

/** Calls `reload` for each SIGHUP, and in a worker also for each one that the primary process forwards. */
export function onReload(reload: () => unknown): void {
  process.on('SIGHUP', reload);
  cluster.worker?.on('message', (message: unknown) => message === RELOAD && reload());
}

/**
 * Forwards each SIGHUP from the primary process to the workers, as a message: the signal itself would end a worker that
 * is still starting. Such a worker ignores the message, because it reads the current files anyway.
 */
export function forwardReload(): void {
  process.on('SIGHUP', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.send(RELOAD, () => {});
  });
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Resolves with the first stop signal; a second signal of the same kind ends the process immediately. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, resolve);
  });
}

/**
 * Like `stopSignal`, but ignores further signals. A server can receive several: a terminal or a supervisor signals all
 * processes, and parent processes forward their signals.
 */
export function firstStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, resolve);
  });
}
