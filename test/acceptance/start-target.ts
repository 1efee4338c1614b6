import type { TestProject } from 'vitest/node';
import { freshDirectory, Service } from '../service.js';
import { createTenants } from './create-tenants.js';
import type {} from './target.js';

const limits = { maxBodyBytes: 10_485_760, maxBatch: 5_000 };

/** The tests know an address and keys, and nothing else: those of a server somewhere, or of one started here. */
export default async function startTarget(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { ACCEPTANCE_URL: url, ACCEPTANCE_KEYS: keys } = process.env;
  if (url !== undefined && keys !== undefined) {
    project.provide('target', { url, keys: JSON.parse(keys), ...limits });
    return undefined;
  }
  const dataDir = await freshDirectory();
  const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: dataDir, ACCOUNT_SYNC_LOG_LEVEL: 'silent' });
  project.provide('target', { url: service.url, keys: await createTenants(dataDir), ...limits });
  return () => service.stopAndRemove();
}
