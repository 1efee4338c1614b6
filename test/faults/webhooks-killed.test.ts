import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../support/databases.js';
import { metricsIn } from '../support/metrics-in.js';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import type { Caller } from './caller.js';
import { compareReceivers } from './compare-with-feed.js';
import { ContinuousLoad } from './continuous-load.js';
import { KEY, KillableService } from './killable-service.js';
import { ownDatabases } from './own-database.js';
import { SeededRandom } from './seeded-random.js';
import { ALLOW_RECEIVERS, subscribeReceivers, waitForMessages } from './subscribe-receivers.js';
import { Trial } from './trial.js';

const SENDERS = 4;
const MAX_MESSAGES = 60;
/** The lease of the process that delivers ends after 5 seconds. Only what hangs takes longer. */
const TAKEOVER_MS = 20_000;

const withReceivers = (database: Database): Database => ({
  ...database,
  settings: { ...database.settings, ...ALLOW_RECEIVERS },
});

describe.each(ownDatabases)('webhooks on %s', (name, createDatabase) => {
  it('get all events in order, however often the service is killed', async () => {
    const database = withReceivers(await createDatabase());
    onTestFinished(() => database.remove());
    const trial = new Trial(`${name}: webhooks, kill -9 under load`, { short: 2, long: 200 });
    const random = new SeededRandom(trial);
    const service = new KillableService(database, trial, random);
    let caller = await service.start();
    const receivers = await subscribeReceivers({ url: service.url, key: KEY }, random);
    await trial.run(async (round) => {
      const load = new ContinuousLoad(caller, `round${round}`, SENDERS);
      // In some rounds before anything is delivered.
      if (!random.isChance(0.2)) await waitForMessages(receivers, random.between(1, MAX_MESSAGES));
      caller.isDying = true;
      const stopped = load.stop();
      await service.kill();
      await stopped;
      if (random.isChance(0.2)) await service.killEarly();
      caller = await service.start();
    });
    await compareReceivers(database.url, receivers, trial);
    expect([trial.unexpected, trial.failed]).toEqual([[], 0]);
  });
});

it('webhooks are continued by another process on PostgreSQL, if the one that delivers is killed', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const url = await server.createDatabase();
  const database = withReceivers({ url, settings: { DATABASE_URL: url }, remove: async () => {} });
  const trial = new Trial('PostgreSQL: webhooks, one of two processes killed', { short: 1, long: 100 });
  const random = new SeededRandom(trial);
  const services = [0, 1].map(() => new KillableService(database, trial, random));
  const callers: Caller[] = [];
  for (const service of services) callers.push(await service.start());
  const receivers = await subscribeReceivers({ url: services[0]?.url ?? '', key: KEY }, random);
  await trial.run(async (round) => {
    const loads = callers.map((caller, i) => new ContinuousLoad(caller, `round${round}-${i}`, SENDERS));
    await waitForMessages(receivers, random.between(1, MAX_MESSAGES));
    const delivering = await findDelivering(services);
    const caller = callers[delivering];
    if (caller !== undefined) caller.isDying = true;
    const stopped = loads[delivering]?.stop();
    await services[delivering]?.kill();
    const killedAt = performance.now();
    await stopped;
    await waitForMessages(receivers, 1);
    const took = performance.now() - killedAt;
    trial.slowestRecoveryMs = Math.max(trial.slowestRecoveryMs, took);
    expect(took).toBeLessThan(TAKEOVER_MS);
    await waitForMessages(receivers, random.between(1, MAX_MESSAGES));
    await Promise.all(loads.map((load) => load.stop()));
    callers[delivering] = await (services[delivering] as KillableService).start();
  });
  await compareReceivers(database.url, receivers, trial);
  expect([trial.unexpected, trial.failed]).toEqual([[], 0]);
});

/** The service whose count of messages grows. */
async function findDelivering(services: readonly KillableService[]): Promise<number> {
  const counts = () => Promise.all(services.map(({ url }) => takenMessages(url)));
  const before = await counts();
  let delivering = -1;
  await expect
    .poll(async () => {
      const now = await counts();
      delivering = now.findIndex((count, i) => count > (before[i] ?? 0));
      return delivering;
    })
    .toBeGreaterThanOrEqual(0);
  return delivering;
}

async function takenMessages(url: string): Promise<number> {
  const metrics = metricsIn(await (await fetch(`${url}/metrics`)).text());
  return metrics['account_sync_webhook_messages_total{result="taken"}'] ?? 0;
}
