import { it, onTestFinished } from 'vitest';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { ServiceUnderLoad } from './service-under-load.js';
import { Trial } from './trial.js';

it('responds in time while PostgreSQL hangs, and recovers after that', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const database = await server.createDatabase();
  const trial = new Trial('PostgreSQL: hanging', { short: 1, long: 40 });
  const service = await ServiceUnderLoad.start(database, trial);
  await trial.run(() =>
    service.cycle(database, async () => {
      server.hang();
      await service.expectUnavailable();
      server.wake();
      await service.expectRecovery();
    }),
  );
  await service.end();
});
