import { setTimeout as pause } from 'node:timers/promises';
import { it, onTestFinished } from 'vitest';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { ReplicatedPair } from '../support/postgres/replicated-pair.js';
import { ServiceUnderLoad } from './service-under-load.js';
import { Trial } from './trial.js';

const STALL_MS = 200;

it('recovers on the standby after the primary fails', async () => {
  const origin = await PostgresServer.start();
  onTestFinished(() => origin.remove());
  const name = new URL(await origin.createDatabase()).pathname;
  await origin.stop();
  const trial = new Trial('PostgreSQL: failover to a standby', { short: 1, long: 40 });
  await trial.run(async (cycle) => {
    const pair = await ReplicatedPair.start(origin);
    try {
      const { primary, standby } = pair;
      const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',');
      const service = await ServiceUnderLoad.start(
        `postgres://postgres@${hosts}${name}?target_session_attrs=read-write`,
        trial,
      );
      await service.cycle(standby.url(name.slice(1)), async () => {
        // A write that is acknowledged from now on would be lost with the primary.
        await pair.stall();
        await pause(STALL_MS);
        // In every second cycle of a long run the primary hangs instead.
        if (cycle % 2 === 0) primary.hang();
        else await primary.stop('SIGKILL');
        await service.expectUnavailable();
        await pair.promote();
        await service.expectRecovery();
      });
      await service.end();
    } finally {
      await pair.remove();
    }
  });
});
