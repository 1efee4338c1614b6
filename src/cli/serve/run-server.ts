import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import type { Config } from '../../config.js';
import { ServingCertificate } from '../../http/connection/serving-certificate.js';
import { buildServer } from '../../http/server.js';
import { openStore } from '../../store/open-store.js';
import { firstStopSignal, onReload } from '../terminal/signals.js';
import { createLogger } from './create-logger.js';
import { banner, firstStart } from './first-start.js';
import { listen } from './listen.js';
import { shareReports } from './share-reports.js';

/** However long the database takes, the process is gone by then. */
const EXIT_MS = 9_500;

/**
 * How much the heap may grow before all of it is collected. By itself V8 does that at every ten megabytes or so that sockets
 * bring, as little lives here, and everybody waits meanwhile.
 */
const HEAP_GROWTH_PERCENT = 200;

/** Serves in this process, until a signal. */
export async function runServer(config: Config): Promise<void> {
  const { database, poolSize, rejectionDays, tls } = config;
  const logger = createLogger(config.logLevel);
  const certificate = tls && (await ServingCertificate.open(tls, logger));
  if (certificate !== undefined) onReload(() => certificate.reload());
  const store = await openStore({ database, serving: true, poolSize, rejectionDays });
  // Not before: nothing is lost where a signal ends a process that still waits for its database.
  const stop = firstStopSignal();
  const graceMs = 1_000 * config.drainSeconds;
  const parts = { config, store, clock: Date.now, logger, certificate, graceMs };
  const app = await buildServer(cluster.isWorker ? { ...parts, shareReports } : parts);
  try {
    const url = await listen(app, config);
    // Not before: what is loaded under other flags than it was compiled with is compiled anew.
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
    // Only now: a key made before a port was found in use would never be seen. Of several workers none says it.
    if (cluster.isPrimary) {
      process.stdout.write(banner(url, store.location, await firstStart(store.directory, config.apiKey)));
    }
    logger.info({ signal: await stop }, 'stopping');
    setTimeout(giveUp, EXIT_MS).unref();
  } finally {
    await app.close();
    await store.close();
  }
}

/** Only where the database hangs. What is left was never acknowledged; an exit would wait for the writer thread. */
function giveUp(): void {
  process.stderr.write('The database does not let go; ending without it.\n');
  process.kill(process.pid, 'SIGKILL');
}
