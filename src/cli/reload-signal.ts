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
