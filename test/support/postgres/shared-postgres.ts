import type { TestProject } from 'vitest/node';
import { openStore } from '../../../dist/store/open-store.js';
import { PostgresServer } from './postgres-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The maintenance databases of the PostgreSQL servers that tests share, one for each worker. */
    sharedPostgres: readonly string[];
  }
}

/** A migrated database without tenants, from which those of tests are copied. */
export const TEMPLATE = 'migrated';

interface Shared {
  readonly servers: Promise<PostgresServer[]>;
  users: number;
}

/** Each vitest project loads this module anew, so the servers are kept where all of them find them. */
const place = globalThis as { sharedPostgres?: Shared | undefined };

/**
 * Global setup of every project whose tests use PostgreSQL: the first starts the servers, the last removes them. A worker
 * has a server to itself, since a transaction of any database holds back the change feed of all databases of its server.
 * They do not sync to disk, since no test kills them; tests that do start a `PostgresServer` of their own.
 */
export default async function setup({ provide, vitest }: TestProject): Promise<() => Promise<void>> {
  place.sharedPostgres ??= { servers: startAll(vitest.config.maxWorkers), users: 0 };
  const shared = place.sharedPostgres;
  shared.users += 1;
  const servers = await shared.servers;
  provide(
    'sharedPostgres',
    servers.map((server) => server.url()),
  );
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    place.sharedPostgres = undefined;
    await Promise.all(servers.map((server) => server.remove()));
  };
}

function startAll(count: number): Promise<PostgresServer[]> {
  return Promise.all(Array.from({ length: count }, startWithTemplate));
}

async function startWithTemplate(): Promise<PostgresServer> {
  const server = await PostgresServer.start({ fsync: 'off', full_page_writes: 'off' });
  await server.query(`create database ${TEMPLATE}`);
  const store = await openStore({ database: server.url(TEMPLATE) });
  await store.close();
  return server;
}
