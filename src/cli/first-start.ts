import { hashKey, SCOPES } from '../domain/api-key.js';
import type { Directory } from '../store/directory/directory.js';
import { issueKey } from '../store/directory/issue-key.js';
import type { KeyRecord } from '../store/directory/keys.js';
import { Taken } from '../store/store.js';
import { shortTime } from './command-line.js';

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
