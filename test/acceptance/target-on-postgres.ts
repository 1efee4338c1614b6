import type { TestProject } from 'vitest/node';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { startTarget } from './start-target.js';

/** Runs two worker processes, so that the tests also cover state that the processes do not share. */
export default async function targetOnPostgres(project: TestProject) {
  const server = await PostgresServer.start();
  const settings = { DATABASE_URL: await server.createDatabase(), ACCOUNT_SYNC_WORKERS: '2' };
  const stop = await startTarget(project, settings);
  return async () => {
    await stop();
    await server.remove();
  };
}
