import type { AddressInfo } from 'node:net';
import type { TlsFiles } from '../../config.js';
import { hashKey, SCOPES } from '../../domain/api-key.js';
import { DEFAULT_SOURCE } from '../../domain/source.js';
import { NameTaken } from '../../store/errors.js';
import type { Directory } from '../../store/tenants/directory.js';
import { issueKey, type KeyRecord } from '../../store/tenants/keys.js';
import { VERSION } from '../../version.js';
import { shortTime } from '../terminal/command-line.js';

const TENANT = 'default';
/** Created by `account-sync demo`, possibly before the first start. */
export const DEMO_TENANT = 'demo';
/* The labels of the first key. They are stored, so changing them would hide the origin of existing keys. */
const GENERATED = 'generated at the first start';
const PROVIDED = 'taken from ACCOUNT_SYNC_API_KEY at the first start';

const NO_DEFAULT = [
  `none: the tenant ${TENANT} does not exist. List the tenants: npx account-sync tenant list`,
  'Create a key: npx account-sync key create <tenant>',
];

const INVITE = `Invite people: npx account-sync user invite ${TENANT} <email> --role admin`;

export interface Welcome {
  /** The value after `Bearer` in a shell command, if it is known. */
  readonly bearer?: string;
  /** Lines about the API keys, and how people get in without one. */
  readonly notes: readonly string[];
}

/**
 * Whether a start creates the tenant `default`. It does not if other tenants exist: then an operator has deleted
 * `default`.
 */
export async function isFirstStart(directory: Directory): Promise<boolean> {
  return (await directory.tenantNames()).every((name) => name === DEMO_TENANT);
}

/** Creates the tenant `default` and its key if no tenant exists, and describes the keys in any case. */
export async function firstStart(directory: Directory, ownKey: string | undefined): Promise<Welcome> {
  if (await isFirstStart(directory)) {
    return createFirstTenant(directory, ownKey).catch((error) => {
      // Another process that started at the same time created the tenant first.
      if (error instanceof NameTaken) return firstStart(directory, ownKey);
      throw error;
    });
  }
  const tenant = await directory.findTenant({ name: TENANT });
  const notes = tenant === undefined ? NO_DEFAULT : describeKeys(await directory.keys.list(tenant.id));
  const isIgnored = ownKey !== undefined && (await directory.keys.find(hashKey(ownKey))) === undefined;
  const warning = 'ACCOUNT_SYNC_API_KEY is ignored: it is used only at the first start.';
  return { notes: isIgnored ? [warning, ...notes] : notes };
}

async function createFirstTenant(directory: Directory, ownKey: string | undefined): Promise<Welcome> {
  const label = ownKey === undefined ? GENERATED : PROVIDED;
  const { key } = await issueKey(
    (firstKey) => directory.createTenant(TENANT, {}, Date.now(), firstKey),
    { scopes: SCOPES, label, source: DEFAULT_SOURCE, expiresAt: null },
    ownKey,
  );
  return ownKey === undefined
    ? { bearer: key, notes: [key, 'Save it now: it is shown only once.', INVITE] }
    : { bearer: '$ACCOUNT_SYNC_API_KEY', notes: ['the one in ACCOUNT_SYNC_API_KEY', INVITE] };
}

function describeKeys(keys: readonly KeyRecord[]): string[] {
  const first = keys.find(({ label }) => label === GENERATED || label === PROVIDED);
  // The console needs all scopes; a key with the default scope can only push accounts.
  const create = `npx account-sync key create ${TENANT} --label console --scope ${SCOPES.join(' ')}`;
  if (first !== undefined) return [originOf(first), `Create another: ${create}`];
  return keys.length > 0
    ? [`created by an operator; list the keys: npx account-sync key list ${TENANT}`]
    : [`none yet. Create one: ${create}`];
}

function originOf({ id, label, createdAt, revokedAt }: KeyRecord): string {
  const state = revokedAt === null ? '' : ', now revoked';
  const shown = label === GENERATED ? '; it was shown only then' : '';
  return `${id} of tenant ${TENANT}, ${label} (${shortTime(createdAt)})${shown}${state}`;
}

/** The text that a server prints to standard output once it listens. */
export function banner(url: string, location: string, { bearer, notes }: Welcome): string {
  const curl =
    `curl -X POST ${url}/api/v1_1/account -H "Authorization: Bearer ${bearer}" ` +
    `-H "Content-Type: application/json" -d '{"account_id":"acme","name":"Acme Inc."}'`;
  const [first = '', ...others] = notes;
  return [
    `account-sync ${VERSION}`,
    '',
    `  Address  ${url}`,
    `  Store    ${location}`,
    `  Console  ${url}/console`,
    `  Docs     ${url}/docs`,
    `  API key  ${first}`,
    ...others.map((note) => `           ${note}`),
    ...(bearer === undefined ? [] : ['', 'Send the first account:', '', curl]),
    '',
    '',
  ].join('\n');
}

export function urlOf(
  { address, port }: Pick<AddressInfo, 'address' | 'port'>,
  tls: TlsFiles | undefined,
): string {
  const reachable = ['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address;
  const protocol = tls === undefined ? 'http' : 'https';
  return `${protocol}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
