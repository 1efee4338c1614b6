import { it, onTestFinished } from 'vitest';
import { PostgresServer } from '../postgres/postgres-server.js';
import { ServiceUnderLoad } from './service-under-load.js';
import { CYCLES, Tally } from './tally.js';

it('answers in time while PostgreSQL hangs, and goes on after that', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const database = await server.createDatabase();
  const tally = new Tally();
  const service = await ServiceUnderLoad.start(database, tally);
  for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
    await service.cycle(database, async () => {
      server.hang();
      await service.isAway();
      server.wake();
      await service.recovers();
    });
  }
  await service.end();
  tally.print('PostgreSQL hanging', { 'slowest recovery, ms': tally.slowestRecoveryMs });
});
