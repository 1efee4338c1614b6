import type { ProvidedContext } from 'vitest';
import { runJson, type Settings } from '../support/service.js';
import type {} from './target.js';

/** Creates the tenants for the tests with the command line, and returns their keys. */
export async function createTenants(settings: Settings): Promise<ProvidedContext['target']['keys']> {
  const admin = (...args: string[]) => runJson(settings, ...args);
  const key = async (tenant: string, ...options: string[]) =>
    (await admin('key', 'create', tenant, ...options)).key;

  await Promise.all([
    admin('tenant', 'create', 'plain'),
    admin('tenant', 'create', 'domains', '--account-ids', 'domain'),
    admin('tenant', 'create', 'strict', '--undeclared-fields', 'reject'),
    admin('tenant', 'create', 'owned'),
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
  // A rotation without overlap makes the old key expire immediately.
  const expired = await admin('key', 'create', 'plain');
  await admin('key', 'rotate', 'plain', expired.id, '--overlap', '0');

  return {
    plain: await key('plain'),
    domains: await key('domains'),
    strict: await key('strict'),
    hosted: await key('hosted'),
    owned: await key('owned', '--scope', 'admin'),
    readOnly: await key('plain', '--scope', 'read'),
    admin: await key('plain', '--scope', 'admin'),
    revoked: revoked.key,
    expired: expired.key,
  };
}
