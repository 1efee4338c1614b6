import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { type Database, freshSqlite } from '../support/databases.js';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { runJson } from '../support/service.js';
import type { SentRequest } from './continuous-load.js';
import { FeedFollower } from './feed-follower.js';
import { KillableService } from './killable-service.js';
import { LoadStatistics } from './load-statistics.js';
import { type ConfigurationRequest, MixedLoad } from './mixed-load.js';
import { SeededRandom } from './seeded-random.js';
import { StoredConfiguration } from './stored-configuration.js';
import { Trial } from './trial.js';

const MAX_ACKNOWLEDGED = 500;
/** A random pause up to this, so that not every kill comes directly after a response. */
const PAUSE_MS = 20;
/** Long enough for the jobs that run once a second: counts and rejections. */
const JOBS_MS = 1_500;
const STATISTICS_EVERY = 10;
const DOCTOR_EVERY = 50;

/** Opens the database next to the running server. */
async function inspect(
  { url }: Database,
  check: (store: Store, tenantId: number) => Promise<unknown>,
): Promise<void> {
  const store = await openStore({ database: url });
  try {
    const { id = 0 } = (await store.directory.findTenant({ name: 'default' })) ?? {};
    await check(store, id);
  } finally {
    await store.close();
  }
}

/** Waits until PostgreSQL has ended all sessions of the killed process. */
async function waitForSessionsToEnd({ url }: Database, killedAt: Date): Promise<void> {
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

async function storedStatistics({ statistics }: Store, tenantId: number) {
  const kinds = { created: 0, updated: 0, archived: 0, restored: 0, deleted: 0 };
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

const expectedStatistics = ({ kinds, holders }: FeedFollower) => ({
  accounts: kinds.created - kinds.deleted,
  kinds,
  fields: Object.fromEntries(holders),
});

/** For each database: creates a function that creates empty databases. */
const databaseFactories = [
  ['SQLite', async () => freshSqlite],
  ['PostgreSQL', postgresFactory],
] as const;

async function postgresFactory(): Promise<() => Promise<Database>> {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  return async () => {
    const url = await server.createDatabase();
    return { url, settings: { DATABASE_URL: url }, remove: async () => {} };
  };
}

describe.each(databaseFactories)('a server on %s', (name, databaseFactory) => {
  it('has every acknowledged write after a restart, after any number of kills', async () => {
    const createDatabase = await databaseFactory();
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    const trial = new Trial(`${name}: kill -9 under load`, { short: 5, long: 500 });
    const random = new SeededRandom(trial);
    const service = new KillableService(database, trial, random);
    const follower = new FeedFollower(trial);
    const configuration = new StoredConfiguration(trial);
    const sent: SentRequest[] = [];
    const configured: ConfigurationRequest[] = [];
    let caller = await service.start();
    await trial.run(async (round) => {
      const load = new MixedLoad(caller, `cycle${round}`);
      const goal = trial.acknowledged + random.between(0, MAX_ACKNOWLEDGED);
      await vi.waitUntil(() => trial.acknowledged >= goal, { timeout: 30_000, interval: 1 });
      await pause(random.between(0, round % 5 === 0 ? JOBS_MS : PAUSE_MS));
      caller.isDying = true;
      const stopped = load.stop();
      await service.kill();
      const killedAt = new Date();
      await stopped;
      if (random.isChance(0.2)) await service.killEarly();
      caller = await service.start();
      await waitForSessionsToEnd(database, killedAt);
      sent.push(...load.sent);
      configured.push(...load.configured);
      await inspect(database, async (store, tenantId) => {
        await follower.follow(store, tenantId);
        follower.compare(load.sent);
        await configuration.compare(store, tenantId, load.configured);
        expect([follower.problems, configuration.problems, trial.unexpected]).toEqual([[], [], []]);
        if (round % STATISTICS_EVERY !== 0 && round !== trial.rounds) return;
        await expect.poll(() => storedStatistics(store, tenantId)).toEqual(expectedStatistics(follower));
      });
      if (round % DOCTOR_EVERY !== 0 && round !== trial.rounds) return;
      expect(await runJson(database.settings, 'doctor')).toMatchObject({ ok: true });
    });
    expect(trial.failed).toBe(0);
    // Everything that was found after each round is still there at the end.
    const whole = new FeedFollower(new LoadStatistics());
    const wholeConfiguration = new StoredConfiguration(trial);
    await inspect(database, async (store, tenantId) => {
      await whole.follow(store, tenantId);
      await wholeConfiguration.compare(store, tenantId, configured);
    });
    whole.compare(sent);
    expect([whole.problems, wholeConfiguration.problems, whole.kinds]).toEqual([[], [], follower.kinds]);
  });

  it('starts after its first start was killed', async () => {
    const trial = new Trial(`${name}: kill -9 in the first start`, { short: 2, long: 100 });
    const random = new SeededRandom(trial);
    const createDatabase = await databaseFactory();
    await trial.run(async (round) => {
      const database = await createDatabase();
      const service = new KillableService(database, trial, random);
      await service.killEarly();
      const caller = await service.start();
      expect(await caller.post({ account_id: 'first' }, `round-${round}`)).toMatchObject({ created: 1 });
      await service.kill();
      await database.remove();
    });
    expect(trial.unexpected).toEqual([]);
  });
});
