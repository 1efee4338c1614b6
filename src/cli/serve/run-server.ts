import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import type { Config } from '../../config.js';
import { DeliveryThread } from '../../delivery/delivery-thread.js';
import { ServingCertificate } from '../../http/connection/serving-certificate.js';
import { buildServer } from '../../http/server.js';
import { openStore } from '../../store/open-store.js';
import { firstStopSignal, onReload } from '../terminal/signals.js';
import { createLogger } from './create-logger.js';
import { banner, firstStart } from './first-start.js';
import { listen } from './listen.js';
import { logMigration } from './log-migration.js';
import { shareReports } from './share-reports.js';

/** The process exits by then, however long the database takes to close. */
const EXIT_MS = 9_500;

/**
 * How much the heap may grow before a full garbage collection. By default V8 runs one for about every 10 MB of socket
 * data, because the live heap is small, and all requests wait meanwhile.
 */
const HEAP_GROWTH_PERCENT = 200;

/** Runs the server in this process until a stop signal. */
export async function runServer(config: Config): Promise<void> {
  const { database, poolSize, ingestThreads, rejectionDays, tls } = config;
  const logger = createLogger(config.logLevel);
  const certificate = tls && (await ServingCertificate.open(tls, logger));
  if (certificate !== undefined) onReload(() => certificate.reload());
  const onMigration = logMigration(logger);
  const requestLimits = { maxBodyBytes: config.maxBodyBytes, maxBatch: config.maxBatch };
  const store = await openStore({
    database,
    serving: true,
    poolSize,
    ingestThreads,
    rejectionDays,
    onMigration,
    requestLimits,
  });
  // Handled only from here: a process that still waits for its database loses nothing when a signal ends it.
  const stop = firstStopSignal();
  const graceMs = 1_000 * config.drainSeconds;
  const delivery = new DeliveryThread({
    database,
    privateHosts: config.webhookPrivateHosts,
    isNeeded: async () => {
      const { delivering, failing } = await store.webhooks.counts();
      return delivering + failing > 0;
    },
    onError: (error) => logger.error({ err: error }, 'webhooks are not delivered'),
  });
  const { counts: deliveryCounts } = delivery;
  const parts = { config, store, clock: Date.now, logger, certificate, graceMs, deliveryCounts };
  const app = await buildServer(cluster.isWorker ? { ...parts, shareReports } : parts);
  try {
    const url = await listen(app, config);
    // Set only after loading: V8 recompiles cached code that was compiled under other flags.
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
    // Created only now: if the port were in use, the key would never be shown. With workers, the primary process prints
    // it.
    if (cluster.isPrimary) {
      process.stdout.write(banner(url, store.location, await firstStart(store.directory, config.apiKey)));
    }
    logger.info({ signal: await stop }, 'stopping');
    setTimeout(killProcess, EXIT_MS).unref();
  } finally {
    await Promise.all([app.close(), delivery.close()]);
    await store.close();
  }
}

/**
 * Ends the process if the database hangs. Writes that are lost were never acknowledged. `process.exit` would wait for
 * the writer thread, so it kills the process instead.
 */
function killProcess(): void {
  process.stderr.write('The database did not close in time. Exiting without it.\n');
  process.kill(process.pid, 'SIGKILL');
}
