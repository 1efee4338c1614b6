import type { TestProject } from 'vitest/node';
import { openStore } from '../../../dist/store/open-store.js';
import { PostgresServer } from './postgres-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URLs of the maintenance databases of the shared PostgreSQL servers, one server for each worker. */
    sharedPostgres: readonly string[];
  }
}

/** A migrated database without tenants. The databases of tests are copies of it. */
export const TEMPLATE = 'migrated';

interface Shared {
  readonly servers: Promise<PostgresServer[]>;
  users: number;
}

/** Each vitest project loads its own copy of this module, so the servers are kept in `globalThis`. */
const globals = globalThis as { sharedPostgres?: Shared | undefined };

/**
 * Global setup of every project whose tests use PostgreSQL: the first project starts the servers, the last removes
 * them. Each worker has its own server, because a transaction in any database delays the change feeds of all databases
 * of its server. The servers do not sync to disk. Tests that kill a server start their own `PostgresServer`.
 */
export default async function setup({ provide, vitest }: TestProject): Promise<() => Promise<void>> {
  globals.sharedPostgres ??= { servers: startAll(vitest.config.maxWorkers), users: 0 };
  const shared = globals.sharedPostgres;
  shared.users += 1;
  const servers = await shared.servers;
  provide(
    'sharedPostgres',
    servers.map((server) => server.url()),
  );
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    globals.sharedPostgres = undefined;
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
