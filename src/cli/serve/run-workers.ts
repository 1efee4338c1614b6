import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import { readCertificate } from '../../http/connection/certificate.js';
import { PROGRAM_DIRECTORY } from '../../program-directory.js';
import { openStore } from '../../store/open-store.js';
import { firstStopSignal, forwardReload } from '../terminal/signals.js';
import { createLogger } from './create-logger.js';
import { banner, firstStart, urlOf } from './first-start.js';
import { logMigration } from './log-migration.js';
import { gatherReports } from './share-reports.js';

/** The delay before a worker is replaced, so that a worker that cannot start does not keep the machine busy. */
const RESTART_MS = 1_000;

/**
 * Serves with several worker processes on one port until a stop signal (`node:cluster`). This primary process migrates
 * the database, starts and replaces workers, and serves no requests itself.
 */
export async function runWorkers(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  // Reports a bad certificate once, before the database is migrated. The workers read the files themselves.
  if (config.tls !== undefined) {
    await readCertificate(config.tls);
    forwardReload();
  }
  // Migrates the database once, before any worker serves.
  const store = await openStore({ database: config.database, onMigration: logMigration(logger) });
  const stop = firstStopSignal();
  let stopReplacing = () => {};
  try {
    cluster.setupPrimary({ exec: fileURLToPath(new URL('main.js', PROGRAM_DIRECTORY)), args: ['serve'] });
    // Chosen before the first fork, so that replacements listen on the same port, even if all workers have exited.
    const port = config.port === 0 ? await freePort(config.host) : config.port;
    gatherReports();
    const fork = () => cluster.fork({ ACCOUNT_SYNC_PORT: String(port) });
    // Starts one worker first: a problem that affects all of them is then reported only once.
    const address = await listening(fork());
    if (address === undefined) {
      process.exitCode = 1;
      return;
    }
    stopReplacing = replaceExitedWorkers(fork, logger);
    await Promise.all(Array.from({ length: config.workers - 1 }, () => listening(fork())));
    const url = urlOf({ address: address.address ?? '0.0.0.0', port }, config.tls);
    process.stdout.write(banner(url, store.location, await firstStart(store.directory, config.apiKey)));
    logger.info({ signal: await stop }, 'stopping');
  } finally {
    stopReplacing();
    await stopWorkers();
    await store.close();
  }
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** `undefined` if the worker exits before it listens; it has then reported the reason. */
function listening(worker: Worker): Promise<Address | undefined> {
  return new Promise((resolve) => {
    worker.once('listening', resolve);
    worker.once('exit', () => resolve(undefined));
  });
}

/** Starts a new worker for each one that exits, until the returned function is called. */
function replaceExitedWorkers(fork: () => Worker, logger: Logger): () => void {
  let isStopping = false;
  const restart = ({ id }: Worker, code: number, signal: string) => {
    logger.error({ worker: id, code, signal }, 'a worker exited; starting another');
    setTimeout(() => isStopping || fork(), RESTART_MS);
  };
  cluster.on('exit', restart);
  return () => {
    cluster.off('exit', restart);
    isStopping = true;
  };
}

async function stopWorkers(): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const exits = workers.map((worker) => once(worker, 'exit'));
  for (const worker of workers) worker.process.kill('SIGTERM');
  await Promise.all(exits);
}
