import { expect, it, onTestFinished } from 'vitest';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { Caller } from './caller.js';
import { startServices } from './start-services.js';
import { startWritesTogether } from './start-writes-together.js';
import { StoredAccounts } from './stored-accounts.js';
import { Trial } from './trial.js';
import { type Order, Writer } from './writer.js';

/** The accounts are new in each round, so that all processes start by creating them. */
const ACCOUNTS = 100;
const ORDERS: readonly Order[] = ['ascending', 'descending', 'shuffled'];

it('several processes can write the same accounts concurrently', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const database = await server.createDatabase();
  const services = await startServices(database, ORDERS.length);
  const key = services[0]?.key ?? '';
  const trial = new Trial('PostgreSQL: three processes write the same accounts', { short: 3, long: 120 });
  const callers = services.map(({ url }) => new Caller(url, key, trial));
  const stored = await StoredAccounts.open(database, trial);
  let upserts = 0;
  await trial.run(async (round) => {
    const ids = Array.from({ length: ACCOUNTS }, (_, i) => `round${round}-${i + 100}`);
    const writers = callers.flatMap((caller, i) =>
      ['1', '2', '3'].map((name) => new Writer(caller, `${'ABC'[i]}${name}`, ORDERS[i] as Order, ids)),
    );
    await startWritesTogether(database, services.length, () =>
      Promise.all(writers.map((writer) => writer.run())),
    );
    expect(writers.flatMap(({ problems }) => problems)).toEqual([]);
    const before = trial.changes;
    for (const id of ids) {
      const { custom_Shared: shared, ...own } = (await stored.read(id))?.account.fields ?? {};
      expect(own).toEqual(Object.fromEntries(writers.map(({ field, last }) => [field, last.get(id)])));
      expect(writers.map(({ name, last }) => `${name} ${last.get(id)}`)).toContain(shared);
    }
    expect(trial.changes - before).toBe(writers.reduce((sum, { changes }) => sum + changes, 0));
    upserts += writers.reduce((sum, writer) => sum + writer.upserts, 0);
  });
  await stored.close();
  for (const service of services) expect([await service.stop(), service.output.stderr]).toEqual([0, '']);
  const name = new URL(database).pathname.slice(1);
  const [{ deadlocks } = {}] = await server.query(
    `select deadlocks::int from pg_stat_database where datname = '${name}'`,
  );
  Object.assign(trial.figures, { upserts, deadlocks: Number(deadlocks) });
  expect([stored.problems, trial.unexpected, trial.failed, deadlocks]).toEqual([[], [], 0, 0]);
  expect(server.log).not.toContain('deadlock');
});
