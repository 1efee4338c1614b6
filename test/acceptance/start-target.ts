import type { TestProject } from 'vitest/node';
import { Service, type Settings } from '../support/service.js';
import { createTenants } from './create-tenants.js';
import type {} from './target.js';

const limits = { maxBodyBytes: 10_485_760, maxBatch: 5_000 };

/** Provides the address and the keys of the tested server: a given one (ACCEPTANCE_URL), or one that it starts. */
export async function startTarget(project: TestProject, settings: Settings): Promise<() => Promise<void>> {
  const { ACCEPTANCE_URL: url, ACCEPTANCE_KEYS: keys } = process.env;
  if (url !== undefined && keys !== undefined) {
    project.provide('target', { url, keys: JSON.parse(keys), ...limits });
    return async () => {};
  }
  const service = await Service.start({ ...settings, ACCOUNT_SYNC_LOG_LEVEL: 'silent' });
  project.provide('target', { url: service.url, keys: await createTenants(settings), ...limits });
  return () => service.stopAndRemove();
}
