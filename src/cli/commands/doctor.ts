import { Command } from 'commander';
import { BadConfig, type Config, type OidcSettings, readConfig, SETTINGS } from '../../config.js';
import type { Environment } from '../../setting-values.js';
import { parseDatabaseUrl } from '../../store/database-url.js';
import { CALLER_SETTINGS } from '../client/connect.js';
import { examineCertificate } from '../doctor/examine-certificate.js';
import { type Finding, isUsable } from '../doctor/finding.js';
import { type OutputOptions, print, withJson } from '../terminal/command-line.js';

export function doctorCommand(): Command {
  return withJson(
    new Command('doctor').description(
      'check settings, certificate, OpenID provider, database, disk, sources and webhooks, and suggest fixes',
    ),
  ).action(doctor);
}

async function doctor(options: OutputOptions): Promise<void> {
  const findings = await examine(process.env);
  const signs = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' };
  const text = findings.flatMap(({ check, state, found, advice }) => [
    `${signs[state]}  ${check.padEnd(15)}  ${found}`,
    ...(advice === undefined ? [] : [`${' '.repeat(26)}${advice}`]),
  ]);
  const failed = findings.some(({ state }) => state === 'failed');
  print(options, { ok: !failed, findings }, text.join('\n'));
  if (failed) process.exitCode = 1;
}

async function examine(env: Environment): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error;
    const advice = 'Correct the setting; docs/configuration.md lists all settings.';
    return error.problems.map((found) => ({ check: 'settings', state: 'failed', found, advice }));
  }
  const certificate = config.tls === undefined ? [] : [await examineCertificate(config.tls)];
  const provider = config.oidc === undefined ? [] : [await examineProvider(config.oidc)];
  const database = await examineDatabase(config.database);
  return [
    ...examineSettings(env),
    ...certificate,
    ...provider,
    ...database,
    ...(isUsable(database) ? await examineTenants(config) : []),
  ];
}

function examineSettings(env: Environment): Finding[] {
  const known = new Set<string>([...SETTINGS, ...CALLER_SETTINGS]);
  const unknown = Object.keys(env).filter((name) => name.startsWith('ACCOUNT_SYNC_') && !known.has(name));
  const advice = 'It has no effect; docs/configuration.md lists all settings.';
  if (unknown.length === 0) return [{ check: 'settings', state: 'ok', found: 'all valid' }];
  return unknown.map((name) => ({
    check: 'settings',
    state: 'warning',
    found: `${name} is not a setting`,
    advice,
  }));
}

/** What is configured in the database, which must have the newest schema. */
async function examineTenants({ database, oidc }: Config): Promise<Finding[]> {
  const [{ openStore }, { examineMappedTenants }, { examineSources }, { examineWebhooks }] =
    await Promise.all([
      import('../../store/open-store.js'),
      import('../doctor/examine-oidc.js'),
      import('../doctor/examine-sources.js'),
      import('../doctor/examine-webhooks.js'),
    ]);
  const store = await openStore({ database, mustExist: true });
  try {
    return [
      ...(oidc === undefined ? [] : await examineMappedTenants(oidc, store)),
      ...(await examineSources(store)),
      ...(await examineWebhooks(store)),
    ];
  } finally {
    await store.close();
  }
}

async function examineProvider(settings: OidcSettings): Promise<Finding> {
  const { examineOidc } = await import('../doctor/examine-oidc.js');
  return examineOidc(settings);
}

async function examineDatabase(database: string): Promise<Finding[]> {
  const address = parseDatabaseUrl(database);
  // Loads only the database driver that is needed.
  if (address.kind === 'sqlite') {
    const { examineSqlite } = await import('../doctor/examine-sqlite.js');
    return examineSqlite(address.dataDir);
  }
  const { examinePostgres } = await import('../doctor/examine-postgres.js');
  return examinePostgres(address);
}
