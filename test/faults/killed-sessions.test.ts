import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { ServiceUnderLoad } from './service-under-load.js';
import { Trial } from './trial.js';

const KILLS = 60;
const EVERY_MS = 5;
const KILL = `
  select count(pg_terminate_backend(pid))::int as killed from (
    select pid from pg_stat_activity where application_name = 'account-sync' order by random() limit 1
  ) as victim`;

it('survives the end of any of its sessions at any time', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const database = await server.createDatabase();
  const trial = new Trial('PostgreSQL: sessions ended at any time', { short: 1, long: 40 });
  const service = await ServiceUnderLoad.start(database, trial);
  let killed = 0;
  await trial.run(async () => {
    await service.cycle(database, async () => {
      const goal = killed + KILLS;
      const killer = new pg.Client({ connectionString: server.url() });
      await killer.connect();
      while (killed < goal) {
        killed += (await killer.query(KILL)).rows[0].killed;
        await pause(EVERY_MS);
      }
      await killer.end();
      await service.expectRecovery();
    });
    const { failed } = trial;
    await service.cycle(database, () => service.waitForAcknowledged(1));
    expect(trial.failed, 'failures after the last kill').toBe(failed);
  });
  await service.end();
  trial.figures['sessions ended'] = killed;
});
