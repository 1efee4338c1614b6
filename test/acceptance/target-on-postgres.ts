import type { TestProject } from 'vitest/node';
import { sharedServer } from '../support/postgres/shared-postgres.js';
import { startTarget } from './start-target.js';

/** Two processes, so that the tests also see what one does not know of the other. */
export default async function targetOnPostgres(project: TestProject) {
  const server = await sharedServer();
  return startTarget(project, { DATABASE_URL: await server.createDatabase(), ACCOUNT_SYNC_WORKERS: '2' });
}
