import { setTimeout } from 'node:timers/promises';
import { type ApiKey, SCOPES } from '../../domain/api-key.js';
import { DEFAULT_SOURCE } from '../../domain/source.js';
import type { Store } from '../../store/store.js';
import { issueKey } from '../../store/tenants/keys.js';
import { DAY_MS } from './account-fields.js';
import { ClockedServer } from './clocked-server.js';
import { HOUR_MS, MINUTE_MS } from './random.js';
import { KEYS, type Sender } from './schema.js';
import { call } from './step.js';
import { firstDay, keyStep, TwoWeekScenario } from './two-week-scenario.js';

const DAYS = 14;
const UNREADABLE_PAUSE_MS = 100;
const UNREADABLE_TRIES = 100;

export interface SeedOptions {
  readonly tenant: string;
  /** The label of the first key. */
  readonly label: string;
  readonly accounts: number;
  readonly now: number;
  readonly onProgress: (done: number, total: number) => void;
}

export interface Seeded {
  readonly admin: ApiKey;
  readonly reader: ApiKey;
}

/** Creates the tenant and replays two weeks of requests through the public API. */
export async function seed(store: Store, options: SeedOptions): Promise<Seeded> {
  const { now, accounts, onProgress } = options;
  const start = now - (now % DAY_MS) - DAYS * DAY_MS + 8 * HOUR_MS;
  const admin = await createTenant(store, options, start);
  const keys = new Map<Sender, ApiKey>([['admin', admin]]);
  const server = new ClockedServer(store, keys);
  try {
    for (const step of firstDay(start)) await server.send(step);
    await makeKeys(server, keys, start + 30 * MINUTE_MS);
    const steps = new TwoWeekScenario(accounts, start, now).steps();
    for (const [i, step] of steps.entries()) {
      await server.send(step);
      onProgress(i + 1, steps.length);
    }
  } finally {
    await server.close();
  }
  await countChanges(store, options.tenant, now);
  return { admin, reader: keys.get('reader') as ApiKey };
}

/** Creates the tenant and its first key in one transaction; the label of the key marks the tenant as a demo. */
function createTenant(store: Store, { tenant, label }: SeedOptions, at: number): Promise<ApiKey> {
  const by = { at, senderId: null, requestId: null };
  return issueKey((key) => store.directory.createTenant(tenant, {}, at, { ...key, createdAt: at }, by), {
    scopes: SCOPES,
    label,
    source: DEFAULT_SOURCE,
    expiresAt: null,
  });
}

async function makeKeys(server: ClockedServer, keys: Map<Sender, ApiKey>, at: number): Promise<void> {
  for (const [i, sender] of (Object.keys(KEYS) as (keyof typeof KEYS)[]).entries()) {
    const response = await server.send(keyStep(sender, at + i * MINUTE_MS));
    const { id, key } = response.json<ApiKey>();
    keys.set(sender, { id, key });
  }
  const url = `/api/v2/keys/${keys.get('mistake')?.id}`;
  await server.send(call({ at: at + 10 * MINUTE_MS, by: 'admin', method: 'DELETE', url, status: 204 }));
}

/** Updates the statistics, because a running server counts only its own writes. */
async function countChanges({ directory, jobs }: Store, name: string, now: number): Promise<void> {
  const tenant = await directory.findTenant({ name });
  for (let tries = 0; tenant !== undefined && tries < UNREADABLE_TRIES; tries += 1) {
    if (await jobs.countChanges(tenant.id, now)) return;
    // On PostgreSQL, changes become readable only after all earlier transactions of the database have ended.
    await setTimeout(UNREADABLE_PAUSE_MS);
  }
}
