import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import { readCertificate } from '../../http/connection/certificate.js';
import { openStore } from '../../store/open-store.js';
import { firstStopSignal, passOnReload } from '../terminal/signals.js';
import { createLogger } from './create-logger.js';
import { banner, firstStart, urlOf } from './first-start.js';
import { gatherReports } from './share-reports.js';

/** Between the end of a worker and the next, so that one that cannot start does not keep the machine busy. */
const RESTART_MS = 1_000;

/** Serves with several processes on one port, until a signal; this process only looks after them. */
export async function runWorkers(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  // Said once, before a database is migrated for nothing; the workers read it for themselves.
  if (config.tls !== undefined) {
    await readCertificate(config.tls);
    passOnReload();
  }
  // Migrated once, before anybody serves.
  const store = await openStore({ database: config.database });
  const stop = firstStopSignal();
  let endOfCare = () => {};
  try {
    cluster.setupPrimary({ exec: fileURLToPath(new URL('../../main.js', import.meta.url)), args: ['serve'] });
    // Known before, so that those that come later find it again, even after all others have died.
    const port = config.port === 0 ? await freePort(config.host) : config.port;
    gatherReports();
    const fork = () => cluster.fork({ ACCOUNT_SYNC_PORT: String(port) });
    // One first: what keeps it from starting would keep all, and is said once.
    const address = await listening(fork());
    if (address === undefined) {
      process.exitCode = 1;
      return;
    }
    endOfCare = keepRunning(fork, logger);
    await Promise.all(Array.from({ length: config.workers - 1 }, () => listening(fork())));
    const url = urlOf({ address: address.address ?? '0.0.0.0', port }, config.tls);
    process.stdout.write(banner(url, store.location, await firstStart(store.directory, config.apiKey)));
    logger.info({ signal: await stop }, 'stopping');
  } finally {
    endOfCare();
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

/** `undefined` where it ends before it listens; it has said why. */
function listening(worker: Worker): Promise<Address | undefined> {
  return new Promise((resolve) => {
    worker.once('listening', resolve);
    worker.once('exit', () => resolve(undefined));
  });
}

/** Starts another worker for each that ends, until the function it gives is called. */
function keepRunning(fork: () => Worker, logger: Logger): () => void {
  let isStopping = false;
  const restart = ({ id }: Worker, code: number, signal: string) => {
    logger.error({ worker: id, code, signal }, 'a worker ended; another is started');
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
