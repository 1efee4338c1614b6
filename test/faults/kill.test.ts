import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { type Database, freshSqlite } from '../support/databases.js';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { runJson } from '../support/service.js';
import { Chance } from './chance.js';
import { FeedFollower } from './feed-follower.js';
import { type Configured, MixedLoad } from './mixed-load.js';
import { MortalService } from './mortal-service.js';
import type { Sent } from './persistent-load.js';
import { StoredConfiguration } from './stored-configuration.js';
import { Tally } from './tally.js';
import { Trial } from './trial.js';

const MAX_ACKNOWLEDGED = 500;
/** So that not every kill comes right behind an answer. */
const MOMENT_MS = 20;
/** Long enough for what is done once a second: counts, refusals. */
const SECONDLY_MS = 1_500;
const TALLIES_EVERY = 10;
const DOCTOR_EVERY = 50;

/** Opened beside the running server. */
async function look(
  { url }: Database,
  at: (store: Store, tenantId: number) => Promise<unknown>,
): Promise<void> {
  const store = await openStore({ database: url });
  try {
    const { id = 0 } = (await store.directory.findTenant({ name: 'default' })) ?? {};
    await at(store, id);
  } finally {
    await store.close();
  }
}

/** Whatever PostgreSQL still did for a process that was killed is over. */
async function settled({ url }: Database, killedAt: Date): Promise<void> {
  if (url.startsWith('sqlite:')) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const sessions = `
    select 1 from pg_stat_activity
    where application_name = 'account-sync' and datname = current_database() and backend_start < $1`;
  const isOver = async () => (await client.query(sessions, [killedAt])).rowCount === 0;
  await vi.waitUntil(isOver, { timeout: 30_000, interval: 20 });
  await client.end();
}

async function talliesOf({ statistics }: Store, tenantId: number) {
  const kinds = { created: 0, updated: 0, deleted: 0 };
  for (const period of await statistics.periods(tenantId, 'day', 0, Number.MAX_SAFE_INTEGER)) {
    for (const kind of ['created', 'updated', 'deleted'] as const) kinds[kind] += period[kind];
  }
  const fields = await statistics.fields(tenantId);
  return {
    accounts: await statistics.accounts(tenantId),
    kinds,
    fields: Object.fromEntries(fields.map(({ name, accounts }) => [name, accounts])),
  };
}

const tallyBy = ({ kinds, holders }: FeedFollower) => ({
  accounts: kinds.created - kinds.deleted,
  kinds,
  fields: Object.fromEntries(holders),
});

/** For each database: gives something that makes empty ones. */
const sources = [
  ['SQLite', async () => freshSqlite],
  ['PostgreSQL', postgresSource],
] as const;

async function postgresSource(): Promise<() => Promise<Database>> {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  return async () => {
    const url = await server.createDatabase();
    return { url, settings: { DATABASE_URL: url }, remove: async () => {} };
  };
}

describe.each(sources)('a server on %s', (name, openImportFile) => {
  it('has every acknowledged write when it is back, however often it is killed', async () => {
    const createDatabase = await openImportFile();
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    const trial = new Trial(`${name}: kill -9 under load`, { short: 5, long: 500 });
    const random = new Chance(trial);
    const service = new MortalService(database, trial, random);
    const follower = new FeedFollower(trial);
    const configuration = new StoredConfiguration(trial);
    const sent: Sent[] = [];
    const configured: Configured[] = [];
    let caller = await service.start();
    await trial.run(async (round) => {
      const load = new MixedLoad(caller, `cycle${round}`);
      const goal = trial.acknowledged + random.between(0, MAX_ACKNOWLEDGED);
      await vi.waitUntil(() => trial.acknowledged >= goal, { timeout: 30_000, interval: 1 });
      await pause(random.between(0, round % 5 === 0 ? SECONDLY_MS : MOMENT_MS));
      caller.isDying = true;
      const stopped = load.stop();
      await service.kill();
      const killedAt = new Date();
      await stopped;
      if (random.isChance(0.2)) await service.killEarly();
      caller = await service.start();
      await settled(database, killedAt);
      sent.push(...load.sent);
      configured.push(...load.configured);
      await look(database, async (store, tenantId) => {
        await follower.follow(store, tenantId);
        follower.compare(load.sent);
        await configuration.compare(store, tenantId, load.configured);
        expect([follower.problems, configuration.problems, trial.unexpected]).toEqual([[], [], []]);
        if (round % TALLIES_EVERY !== 0 && round !== trial.rounds) return;
        await expect.poll(() => talliesOf(store, tenantId)).toEqual(tallyBy(follower));
      });
      if (round % DOCTOR_EVERY !== 0 && round !== trial.rounds) return;
      expect(await runJson(database.settings, 'doctor')).toMatchObject({ ok: true });
    });
    expect(trial.failed).toBe(0);
    // What was found after each round is still there after all of them.
    const whole = new FeedFollower(new Tally());
    const anew = new StoredConfiguration(trial);
    await look(database, async (store, tenantId) => {
      await whole.follow(store, tenantId);
      await anew.compare(store, tenantId, configured);
    });
    whole.compare(sent);
    expect([whole.problems, anew.problems, whole.kinds]).toEqual([[], [], follower.kinds]);
  });

  it('starts where its first start was killed', async () => {
    const trial = new Trial(`${name}: kill -9 in the first start`, { short: 2, long: 100 });
    const random = new Chance(trial);
    const createDatabase = await openImportFile();
    await trial.run(async (round) => {
      const database = await createDatabase();
      const service = new MortalService(database, trial, random);
      await service.killEarly();
      const caller = await service.start();
      expect(await caller.post({ account_id: 'first' }, `round-${round}`)).toMatchObject({ created: 1 });
      await service.kill();
      await database.remove();
    });
    expect(trial.unexpected).toEqual([]);
  });
});
