import type { TestProject } from 'vitest/node';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { startTarget } from './start-target.js';

/** Two processes, so that the tests also see what one does not know of the other. */
export default async function targetOnPostgres(project: TestProject) {
  const server = await PostgresServer.start();
  const settings = { DATABASE_URL: await server.createDatabase(), ACCOUNT_SYNC_WORKERS: '2' };
  const stop = await startTarget(project, settings);
  return async () => {
    await stop();
    await server.remove();
  };
}
