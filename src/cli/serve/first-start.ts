import type { AddressInfo } from 'node:net';
import type { TlsFiles } from '../../config.js';
import { hashKey, SCOPES } from '../../domain/api-key.js';
import { Taken } from '../../store/errors.js';
import type { Directory } from '../../store/tenants/directory.js';
import { issueKey, type KeyRecord } from '../../store/tenants/keys.js';
import { VERSION } from '../../version.js';
import { shortTime } from '../terminal/command-line.js';

const TENANT = 'default';
/** Made by `account-sync demo`, perhaps before the first start. */
export const DEMO_TENANT = 'demo';
const GENERATED = 'generated at the first start';
const BROUGHT = 'taken from ACCOUNT_SYNC_API_KEY at the first start';

const NO_DEFAULT = [
  `none shown: there is no tenant ${TENANT}. See the others: npx account-sync tenant list`,
  'Make a key: npx account-sync key create <tenant>',
];

export interface Welcome {
  /** What to put behind `Bearer` in a shell, where it is known. */
  readonly bearer?: string;
  /** About keys, a line each. */
  readonly notes: readonly string[];
}

/** Whether a start makes the tenant `default`: once it was deleted, others being there, it stays so. */
export async function isFirstStart(directory: Directory): Promise<boolean> {
  return (await directory.tenantNames()).every((name) => name === DEMO_TENANT);
}

/** Makes the tenant `default` and its key where there is no tenant yet, and tells about keys either way. */
export async function firstStart(directory: Directory, ownKey: string | undefined): Promise<Welcome> {
  if (await isFirstStart(directory)) {
    return createFirstTenant(directory, ownKey).catch((error) => {
      // A process that started beside this one was first.
      if (error instanceof Taken) return firstStart(directory, ownKey);
      throw error;
    });
  }
  const tenant = await directory.findTenant({ name: TENANT });
  const notes = tenant === undefined ? NO_DEFAULT : aboutKeys(await directory.keys.list(tenant.id));
  const isUnused = ownKey !== undefined && (await directory.keys.find(hashKey(ownKey))) === undefined;
  const warning =
    'ACCOUNT_SYNC_API_KEY is not in use: it counts at the first start only, and this is a later one.';
  return { notes: isUnused ? [warning, ...notes] : notes };
}

async function createFirstTenant(directory: Directory, ownKey: string | undefined): Promise<Welcome> {
  const label = ownKey === undefined ? GENERATED : BROUGHT;
  const { key } = await issueKey(
    (firstKey) => directory.createTenant(TENANT, {}, Date.now(), firstKey),
    { scopes: SCOPES, label, expiresAt: null },
    ownKey,
  );
  return ownKey === undefined
    ? { bearer: key, notes: [key, 'Keep it safe: it is shown only now.'] }
    : { bearer: '$ACCOUNT_SYNC_API_KEY', notes: ['the one in ACCOUNT_SYNC_API_KEY'] };
}

function aboutKeys(keys: readonly KeyRecord[]): string[] {
  const first = keys.find(({ label }) => label === GENERATED || label === BROUGHT);
  // With all scopes: without them it would push accounts, and open no page of the console.
  const create = `npx account-sync key create ${TENANT} --label console --scope ${SCOPES.join(' ')}`;
  if (first !== undefined) return [originOf(first), `Make another: ${create}`];
  return keys.length > 0
    ? [`made by hand; see them: npx account-sync key list ${TENANT}`]
    : [`none yet. Make one: ${create}`];
}

function originOf({ id, label, createdAt, revokedAt }: KeyRecord): string {
  const state = revokedAt === null ? '' : ', revoked since';
  const shown = label === GENERATED ? '; it was shown then, and only then' : '';
  return `${id} of tenant ${TENANT}, ${label} (${shortTime(createdAt)})${shown}${state}`;
}

/** What a server says on standard output once it listens. */
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
