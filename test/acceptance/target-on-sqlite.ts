import type { TestProject } from 'vitest/node';
import { freshDirectory } from '../support/service.js';
import { startTarget } from './start-target.js';

export default async function targetOnSqlite(project: TestProject) {
  return startTarget(project, { ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
}
