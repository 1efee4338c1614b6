import { setTimeout as pause } from 'node:timers/promises';
import { it, onTestFinished } from 'vitest';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { ReplicatedPair } from '../support/postgres/replicated-pair.js';
import { compareReceivers, waitForCollectors } from './compare-with-feed.js';
import { SeededRandom } from './seeded-random.js';
import { ServiceUnderLoad } from './service-under-load.js';
import { ALLOW_RECEIVERS, subscribeReceivers, waitForMessages } from './subscribe-receivers.js';
import { Trial } from './trial.js';

const STALL_MS = 200;
/** Messages of each receiver before the fault and after it, while accounts are written. */
const MAX_MESSAGES = 15;

it('webhooks get all events in order after a failover of PostgreSQL to a standby', async () => {
  const origin = await PostgresServer.start();
  onTestFinished(() => origin.remove());
  const name = new URL(await origin.createDatabase()).pathname;
  await origin.stop();
  const trial = new Trial('PostgreSQL: webhooks, failover to a standby', { short: 1, long: 40 });
  const random = new SeededRandom(trial);
  await trial.run(async (cycle) => {
    const pair = await ReplicatedPair.start(origin);
    try {
      const { primary, standby } = pair;
      const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',');
      const database = `postgres://postgres@${hosts}${name}?target_session_attrs=read-write`;
      const service = await ServiceUnderLoad.start(database, trial, ALLOW_RECEIVERS);
      const receivers = await subscribeReceivers(service.caller, random);
      const after = standby.url(name.slice(1));
      await service.cycle(after, async () => {
        await waitForMessages(receivers, random.between(1, MAX_MESSAGES));
        // A write that is acknowledged from now on would be lost with the primary.
        await pair.stall();
        await pause(STALL_MS);
        // In every second cycle of a long run the primary hangs instead.
        if (cycle % 2 === 0) primary.hang();
        else await primary.stop('SIGKILL');
        await service.expectUnavailable();
        await pair.promote();
        await service.expectRecovery();
        await waitForMessages(receivers, random.between(1, MAX_MESSAGES));
      });
      await compareReceivers(after, receivers, trial);
      await service.end();
    } finally {
      await pair.remove();
    }
  });
});

it('webhooks get all events in order after PostgreSQL was stopped, aborted or killed', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const database = await server.createDatabase();
  const trial = new Trial('PostgreSQL: webhooks, stopped, aborted and killed', { short: 3, long: 60 });
  const random = new SeededRandom(trial);
  const service = await ServiceUnderLoad.start(database, trial, ALLOW_RECEIVERS);
  const receivers = await subscribeReceivers(service.caller, random);
  await trial.run((round) =>
    service.cycle(database, async () => {
      await waitForMessages(receivers, random.between(1, MAX_MESSAGES));
      await server.stop((['SIGINT', 'SIGQUIT', 'SIGKILL'] as const)[round % 3]);
      await service.expectUnavailable();
      await server.resume();
      await service.expectRecovery();
      await waitForMessages(receivers, random.between(1, MAX_MESSAGES));
    }),
  );
  await compareReceivers(database, receivers, trial);
  await service.end();
});

it('webhooks get all events in order after PostgreSQL hung for longer than the lease lasts', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const database = await server.createDatabase();
  const trial = new Trial('PostgreSQL: webhooks, hanging', { short: 1, long: 40 });
  const random = new SeededRandom(trial);
  const service = await ServiceUnderLoad.start(database, trial, ALLOW_RECEIVERS);
  const receivers = await subscribeReceivers(service.caller, random);
  const collectors = receivers.map(({ collector }) => collector);
  const waitForOpen = (count: number) =>
    waitForCollectors(collectors, () => receivers.every(({ open }) => open === count));
  await trial.run(() =>
    service.cycle(database, async () => {
      await waitForMessages(receivers, random.between(1, MAX_MESSAGES));
      for (const receiver of receivers) receiver.isBlocked = true;
      await waitForOpen(1);
      server.hang();
      await service.expectUnavailable();
      // Another process could deliver now, so this one must not.
      await waitForOpen(0);
      for (const receiver of receivers) receiver.isBlocked = false;
      server.wake();
      await service.expectRecovery();
      await waitForMessages(receivers, random.between(1, MAX_MESSAGES));
    }),
  );
  await compareReceivers(database, receivers, trial);
  await service.end();
});
