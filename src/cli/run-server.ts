import cluster from 'node:cluster';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.js';
import { buildServer } from '../http/server.js';
import { ServingCertificate } from '../http/tls/serving-certificate.js';
import { openStore } from '../store/open-store.js';
import { banner } from './banner.js';
import { createLogger } from './create-logger.js';
import { firstStart } from './first-start.js';
import { type Listening, listen } from './listen.js';
import { onReload } from './reload-signal.js';
import { shareReports } from './share-reports.js';
import { stopSignal } from './stop-signal.js';

/** What is in flight may finish for this long; after that its connections are cut. */
const DRAIN_MS = 8_000;
/** However long the database takes, the process is gone by then. */
const EXIT_MS = 9_500;

/** Serves in this process, until a signal. */
export async function runServer(config: Config): Promise<void> {
  const { database, poolSize, tls } = config;
  const logger = createLogger(config.logLevel);
  const certificate = tls && (await ServingCertificate.open(tls, logger));
  if (certificate !== undefined) onReload(() => certificate.reload());
  const store = await openStore({ database, serving: true, poolSize });
  // Not before: nothing is lost where a signal ends a process that still waits for its database.
  const stop = stopSignal();
  const parts = { config, store, clock: Date.now, logger, certificate };
  const app = await buildServer(cluster.isWorker ? { ...parts, shareReports } : parts);
  let listening: Listening | undefined;
  try {
    listening = await listen(app, config);
    // Only now: a key made before a port was found in use would never be seen. Of several workers none says it.
    if (cluster.isPrimary) {
      process.stdout.write(
        banner(listening.url, store.location, await firstStart(store.directory, config.apiKey)),
      );
    }
    logger.info({ signal: await stop }, 'stopping');
    setTimeout(giveUp, EXIT_MS).unref();
  } finally {
    await closeServer(app, listening);
    await store.close();
  }
}

/** Only where the database hangs. What is left was never acknowledged; an exit would wait for the writer thread. */
function giveUp(): void {
  process.stderr.write('The database does not let go; ending without it.\n');
  process.kill(process.pid, 'SIGKILL');
}

async function closeServer(app: FastifyInstance, listening: Listening | undefined): Promise<void> {
  const { server } = app;
  // A connection whose request was in flight falls idle only later, and would be kept alive.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await Promise.all([listening?.close(), app.close()]);
  clearInterval(idle);
  clearTimeout(late);
}
