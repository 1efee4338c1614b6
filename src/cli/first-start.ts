import { hashKey, SCOPES } from '../domain/api-key.js';
import type { Directory, KeyRecord } from '../store/directory.js';
import { shortTime } from './command-line.js';
import { issueKey } from './issue-key.js';

const TENANT = 'default';
const GENERATED = 'generated at the first start';
const BROUGHT = 'taken from ACCOUNT_SYNC_API_KEY at the first start';

export interface Welcome {
  /** What to put behind `Bearer` in a shell, where it is known. */
  readonly bearer?: string;
  /** About keys, a line each. */
  readonly notes: readonly string[];
}

/** Makes the first tenant and its key where there is no tenant yet, and tells about keys either way. */
export async function firstStart(directory: Directory, ownKey: string | undefined): Promise<Welcome> {
  const names = await directory.tenantNames();
  if (names.length === 0) return createFirstTenant(directory, ownKey);
  const notes = await knownKey(directory, names.includes(TENANT) ? TENANT : (names[0] ?? TENANT));
  const isUnused = ownKey !== undefined && (await directory.findKey(hashKey(ownKey))) === undefined;
  const warning =
    'ACCOUNT_SYNC_API_KEY is not in use: it counts at the first start only, and this is a later one.';
  return { notes: isUnused ? [warning, ...notes] : notes };
}

async function createFirstTenant(directory: Directory, ownKey: string | undefined): Promise<Welcome> {
  await directory.createTenant(TENANT, {}, Date.now());
  const tenant = await directory.findTenant({ name: TENANT });
  if (tenant === undefined) throw new Error(`The tenant ${TENANT} was not created.`);
  const label = ownKey === undefined ? GENERATED : BROUGHT;
  const options = { tenantId: tenant.id, scopes: SCOPES, label, expiresAt: null };
  const { key } = await issueKey(directory, options, ownKey);
  return ownKey === undefined
    ? { bearer: key, notes: [key, 'Keep it safe: it is shown only now.'] }
    : { bearer: '$ACCOUNT_SYNC_API_KEY', notes: ['the one in ACCOUNT_SYNC_API_KEY'] };
}

async function knownKey(directory: Directory, name: string): Promise<string[]> {
  const tenant = await directory.findTenant({ name });
  const keys = tenant === undefined ? [] : await directory.keys(tenant.id);
  const first = keys.find(({ label }) => label === GENERATED || label === BROUGHT);
  const create = `npx account-sync key create ${name}`;
  if (first !== undefined) return [originOf(first, name), `Make another: ${create}`];
  return keys.length > 0
    ? [`made by hand; see them: npx account-sync key list ${name}`]
    : [`none yet. Make one: ${create}`];
}

function originOf({ id, label, createdAt, revokedAt }: KeyRecord, tenant: string): string {
  const state = revokedAt === null ? '' : ', revoked since';
  const shown = label === GENERATED ? '; it was shown then, and only then' : '';
  return `${id} of tenant ${tenant}, ${label} (${shortTime(createdAt)})${shown}${state}`;
}
