import type { TestProject } from 'vitest/node';
import { openStore } from '../../../dist/store/open-store.js';
import { PostgresServer } from './postgres-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The maintenance database of the PostgreSQL that all tests of a run share. */
    sharedPostgres: string;
  }
}

/** A migrated database without tenants, from which those of tests are copied. */
export const TEMPLATE = 'migrated';

interface Shared {
  readonly server: Promise<PostgresServer>;
  users: number;
}

/** Each vitest project loads this module anew, so the one server is kept where all of them find it. */
const place = globalThis as { sharedPostgres?: Shared | undefined };

/**
 * Global setup of every project whose tests use PostgreSQL: the first starts the server, the last removes it. It does not
 * sync to disk, since no test kills it; tests that do start a `PostgresServer` of their own.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  place.sharedPostgres ??= { server: startWithTemplate(), users: 0 };
  const shared = place.sharedPostgres;
  shared.users += 1;
  const server = await shared.server;
  provide('sharedPostgres', server.url());
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    place.sharedPostgres = undefined;
    await server.remove();
  };
}

/** For a later setup of the same project, which cannot inject what an earlier one provides. */
export function sharedServer(): Promise<PostgresServer> {
  if (place.sharedPostgres === undefined) throw new Error('shared-postgres.ts is no global setup here.');
  return place.sharedPostgres.server;
}

async function startWithTemplate(): Promise<PostgresServer> {
  const server = await PostgresServer.start({ fsync: 'off', full_page_writes: 'off' });
  await server.query(`create database ${TEMPLATE}`);
  const store = await openStore({ database: server.url(TEMPLATE) });
  await store.close();
  return server;
}
