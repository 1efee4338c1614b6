import { it, onTestFinished } from 'vitest';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { ServiceUnderLoad } from './service-under-load.js';
import { Trial } from './trial.js';

it('recovers without a restart after PostgreSQL was stopped, aborted or killed', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const database = await server.createDatabase();
  const trial = new Trial('PostgreSQL: stopped, aborted and killed', { short: 1, long: 40 });
  const service = await ServiceUnderLoad.start(database, trial);
  await trial.run(async () => {
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      await service.cycle(database, async () => {
        await server.stop(signal);
        await service.expectUnavailable();
        await server.resume();
        await service.expectRecovery();
      });
    }
  });
  await service.end();
});
