import { it, onTestFinished } from 'vitest';
import { PostgresServer } from '../postgres/postgres-server.js';
import { ServiceUnderLoad } from './service-under-load.js';
import { CYCLES, Tally } from './tally.js';

it('comes back by itself after PostgreSQL was stopped, aborted or killed', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const database = await server.createDatabase();
  const tally = new Tally();
  const service = await ServiceUnderLoad.start(database, tally);
  for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      await service.cycle(database, async () => {
        await server.stop(signal);
        await service.isAway();
        await server.resume();
        await service.recovers();
      });
    }
  }
  await service.end();
  tally.print('PostgreSQL stopped and started', { 'slowest recovery, ms': tally.slowestRecoveryMs });
});
