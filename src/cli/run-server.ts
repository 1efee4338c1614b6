import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.js';
import { buildServer } from '../http/server.js';
import { openStore } from '../store/open-store.js';
import { banner, urlOf } from './banner.js';
import { CommandFailed } from './command-line.js';
import { createLogger } from './create-logger.js';
import { firstStart } from './first-start.js';
import { shareReports } from './share-reports.js';
import { stopSignal } from './stop-signal.js';

/** What is in flight may finish for this long; after that its connections are cut. */
const DRAIN_MS = 8_000;
/** However long the database takes, the process is gone by then. */
const EXIT_MS = 9_500;

/** Serves in this process, until a signal. */
export async function runServer(config: Config): Promise<void> {
  const { database, poolSize, rejectionDays } = config;
  const store = await openStore({ database, serving: true, poolSize, rejectionDays });
  // Not before: nothing is lost where a signal ends a process that still waits for its database.
  const stop = stopSignal();
  const logger = createLogger(config.logLevel);
  const parts = { config, store, clock: Date.now, logger };
  const app = await buildServer(cluster.isWorker ? { ...parts, shareReports } : parts);
  try {
    const url = await listen(app, config);
    // Only now: a key made before a port was found in use would never be seen. Of several workers none says it.
    if (cluster.isPrimary) {
      process.stdout.write(banner(url, store.location, await firstStart(store.directory, config.apiKey)));
    }
    logger.info({ signal: await stop }, 'stopping');
    setTimeout(giveUp, EXIT_MS).unref();
  } finally {
    await closeServer(app);
    await store.close();
  }
}

/** Only where the database hangs. What is left was never acknowledged; an exit would wait for the writer thread. */
function giveUp(): void {
  process.stderr.write('The database does not let go; ending without it.\n');
  process.kill(process.pid, 'SIGKILL');
}

async function closeServer(app: FastifyInstance): Promise<void> {
  const { server } = app;
  // A connection whose request was in flight falls idle only later, and would be kept alive.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await app.close();
  clearInterval(idle);
  clearTimeout(late);
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} on ${host} is in use. Stop the program that has it, or set ACCOUNT_SYNC_PORT to a free port.`,
      EACCES: `This user may not listen on port ${port}. Set ACCOUNT_SYNC_PORT to 1024 or higher.`,
      EADDRNOTAVAIL: `${host} is no address of this machine. Set ACCOUNT_SYNC_HOST to one, or to 0.0.0.0 for all.`,
    };
    throw new CommandFailed(reasons[code ?? ''] ?? `Cannot listen on ${host}:${port}: ${message}.`);
  }
  return urlOf(app.server.address() as AddressInfo);
}
