import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { type Config, readConfig } from '../config.js';
import { buildServer } from '../http/server.js';
import { openStore } from '../store/open-store.js';
import type { Store } from '../store/store.js';
import { CommandFailed } from './command-line.js';
import { firstStart, type Welcome } from './first-start.js';
import { VERSION } from './version.js';

/** What is in flight may finish for this long; after that its connections are cut. */
const DRAIN_MS = 8_000;
/** However long the database takes, the process is gone by then. */
const EXIT_MS = 9_500;

export async function runServer(): Promise<void> {
  const stop = stopSignal();
  const config = readConfig(process.env);
  const { database, poolSize } = config;
  const store = await openStore({ database, serving: true, poolSize });
  const logger = createLogger(config.logLevel);
  const app = await buildServer({ config, store, clock: Date.now, logger });
  try {
    const url = await listen(app, config);
    // Only now: a key made before a port was found in use would never be seen.
    const welcome = await firstStart(store.directory, config.apiKey);
    process.stdout.write(banner(url, store, welcome));
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

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
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

/** Logs go to standard error, so that standard output keeps what is for people, the first key among it. */
function createLogger(level: Config['logLevel']) {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Nothing logs headers; should something ever, the key stays out.
      redact: ['req.headers.authorization', 'headers.authorization'],
    },
    // Gathered for a moment under load: a system call for every line would cost more than the line.
    pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 100 }),
  );
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
  const bound = app.server.address() as AddressInfo;
  const reachable = ['0.0.0.0', '::'].includes(bound.address) ? '127.0.0.1' : bound.address;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${bound.port}`;
}

function banner(url: string, { location }: Store, { bearer, notes }: Welcome): string {
  const curl =
    `curl -X POST ${url}/api/v1_1/account -H "Authorization: Bearer ${bearer}" ` +
    `-H "Content-Type: application/json" -d '{"account_id":"acme","name":"Acme Inc."}'`;
  const [first = '', ...others] = notes;
  return [
    `account-sync ${VERSION}`,
    '',
    `  Address  ${url}`,
    `  Store    ${location}`,
    `  API key  ${first}`,
    ...others.map((note) => `           ${note}`),
    ...(bearer === undefined ? [] : ['', 'Send the first account:', '', curl]),
    '',
    '',
  ].join('\n');
}
