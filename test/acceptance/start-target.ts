import type { TestProject } from 'vitest/node';
import { freshDirectory, runJson, Service } from '../service.js';
import type {} from './target.js';

/** Starts a server with tenants of every kind; the tests themselves know only its address and its keys. */
export default async function startTarget(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await freshDirectory();
  const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: dataDir, ACCOUNT_SYNC_LOG_LEVEL: 'silent' });
  const admin = (...args: string[]) => runJson(dataDir, ...args);
  const key = async (tenant: string, ...options: string[]) =>
    (await admin('key', 'create', tenant, ...options)).key;

  await Promise.all([
    admin('tenant', 'create', 'plain'),
    admin('tenant', 'create', 'domains', '--account-ids', 'domain'),
    admin('tenant', 'create', 'strict', '--undeclared-fields', 'reject'),
    admin('tenant', 'create', 'hosted', '--host', 'hosted.test'),
  ]);
  const typed = ['text', 'integer', 'decimal', 'boolean', 'date', 'datetime'].map((type) => {
    const name = `custom_${type[0]?.toUpperCase()}${type.slice(1)}`;
    return admin('attribute', 'set', 'plain', name, '--type', type);
  });
  await Promise.all([
    ...typed,
    admin('attribute', 'set', 'plain', 'custom_Tier', '--type', 'choice', '--choice', 'gold', 'silver'),
    admin('attribute', 'set', 'plain', 'custom_Locked', '--type', 'text', '--read-only'),
    admin('attribute', 'set', 'strict', 'custom_Health', '--type', 'integer'),
    admin('block', 'add', 'plain', 'blocked-by-tenant'),
    admin('block', 'add', 'plain', '*.blocked.example'),
    admin('block', 'add', 'domains', 'blocked.com'),
    admin('block', 'add', 'domains', '*.blocked.com'),
  ]);

  const revoked = await admin('key', 'create', 'plain');
  await admin('key', 'revoke', 'plain', revoked.id);
  // A rotation without overlap leaves the old key expired.
  const expired = await admin('key', 'create', 'plain');
  await admin('key', 'rotate', 'plain', expired.id, '--overlap', '0');

  project.provide('target', {
    url: service.url,
    keys: {
      plain: await key('plain'),
      domains: await key('domains'),
      strict: await key('strict'),
      hosted: await key('hosted'),
      readOnly: await key('plain', '--scope', 'read'),
      revoked: revoked.key,
      expired: expired.key,
    },
    maxBodyBytes: 10_485_760,
    maxBatch: 5_000,
  });
  return () => service.stopAndRemove();
}
