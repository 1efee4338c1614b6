import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { runJson } from '../support/service.js';
import { Caller } from './caller.js';
import { startServices } from './start-services.js';
import { Trial } from './trial.js';

const ACCOUNTS = 20;
const CALLERS = 20;
const REQUESTS = 10;
/** Longer than the lock timeout of other statements. */
const STALL = 'select pg_sleep(2.5)';

const idOf = (number: number) => `hot-${number % ACCOUNTS}`;

it('writes to the same accounts wait for each other, and do not block other tenants', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const database = await server.createDatabase();
  const services = await startServices(database, 3);
  const key = services[0]?.key ?? '';
  const settings = { DATABASE_URL: database };
  await runJson(settings, 'tenant', 'create', 'other');
  const { key: otherKey } = await runJson(settings, 'key', 'create', 'other', '--scope', 'read');
  const trial = new Trial('PostgreSQL: three processes change hot accounts', { short: 1, long: 40 });
  const callers = services.map(({ url }) => new Caller(url, key, trial));
  const others = services.map(({ url }) => new Caller(url, otherKey, trial));
  let value = 0;
  let changes = 0;

  /** Every fifth request is a batch of all accounts, in a different order for each caller. */
  async function load(caller: Caller, number: number): Promise<void> {
    for (let i = 0; i < REQUESTS; i += 1) {
      const change = (account: number) => ({ account_id: idOf(account), licenses: ++value });
      const ids = Array.from({ length: ACCOUNTS }, (_, k) => number + k * (number % 2 === 0 ? 7 : 19));
      const body = i % 5 === 0 ? ids.map(change) : change(number * 7 + i * 3);
      changes += Array.isArray(body) ? body.length : 1;
      await caller.post(body, `hot-${number}-${i}`);
    }
  }

  await trial.run(async () => {
    const loads = Array.from({ length: CALLERS }, (_, i) => load(callers[i % 3] as Caller, i));
    const stall = new pg.Client({ connectionString: database });
    await stall.connect();
    await stall.query('begin; lock table account in exclusive mode');
    const stalled = stall.query(STALL);
    for (const other of others) {
      await other.send(['POST', '/api/v2/session', { key: otherKey }], 'sign-in', 'success');
      await other.send(['GET', '/api/v2/accounts'], 'read', 'success');
    }
    await stalled;
    await stall.query('commit');
    await Promise.all([...loads, stall.end()]);
  });

  expect([trial.failed, trial.unexpected]).toEqual([0, []]);
  const [caller] = callers as [Caller];
  const ids = Array.from({ length: ACCOUNTS }, (_, i) => idOf(i));
  const accounts = await Promise.all(
    ids.map((id) => caller.send(['GET', `/api/v2/accounts/${id}`], 'read-account', 'success')),
  );
  expect(accounts.reduce((sum, account) => sum + Number(account?.revision), 0)).toBe(changes);
});
