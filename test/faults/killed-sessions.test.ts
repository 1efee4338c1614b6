import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { PostgresServer } from '../postgres/postgres-server.js';
import { ServiceUnderLoad } from './service-under-load.js';
import { CYCLES, Tally } from './tally.js';

const KILLS = 60;
const EVERY_MS = 5;
const KILL = `
  select count(pg_terminate_backend(pid))::int as killed from (
    select pid from pg_stat_activity where application_name = 'account-sync' order by random() limit 1
  ) as victim`;

it('survives the end of any of its sessions, at any moment', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const database = await server.createDatabase();
  const tally = new Tally();
  const service = await ServiceUnderLoad.start(database, tally);
  let killed = 0;
  for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
    await service.cycle(database, async () => {
      const goal = killed + KILLS;
      const killer = new pg.Client({ connectionString: server.url() });
      await killer.connect();
      while (killed < goal) {
        killed += (await killer.query(KILL)).rows[0].killed;
        await pause(EVERY_MS);
      }
      await killer.end();
      await service.recovers();
    });
    const { failed } = tally;
    await service.cycle(database, () => service.acknowledges(1));
    expect(tally.failed, 'failures once nothing was killed any more').toBe(failed);
  }
  await service.end();
  tally.print('sessions killed', { kills: killed, 'slowest recovery, ms': tally.slowestRecoveryMs });
});
