import { afterEach, describe, expect, it } from 'vitest';
import { freshPostgres, urlForTest } from '../support/databases.js';
import { queryOnce } from '../support/postgres/postgres-server.js';
import { RunningServer } from './running-server.js';

const SINGLE = '/api/v1_1/account';
const BATCH = '/api/v1_1/accounts';
/** 20.5 seconds before the end of a minute. */
const START = 60_000 * 1_000_000 + 39_500;

let server: RunningServer;
let now: number;
afterEach(() => server.stop());

async function start(rateLimit?: number): Promise<void> {
  now = START;
  server = await RunningServer.start({ config: { rateLimit }, clock: () => now });
}

const limitsOf = ({ headers }: { headers: Record<string, unknown> }) => [
  headers['ratelimit-policy'],
  headers.ratelimit,
];

describe('a limit of requests', () => {
  it('accepts requests up to the limit, and shows in every response how many are left', async () => {
    await start(3);
    const key = await server.addTenant('acme');
    const answers = [
      await server.post(SINGLE, key, { account_id: 'a' }),
      await server.post(SINGLE, key, { account_id: 'a', licenses: 'many' }),
      await server.post(BATCH, key, [{ account_id: 'a' }]),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 400, 200]);
    expect(answers.map(limitsOf)).toEqual([
      ['"key";q=3;w=60', '"key";r=2;t=21'],
      ['"key";q=3;w=60', '"key";r=1;t=21'],
      ['"key";q=3;w=60', '"key";r=0;t=21'],
    ]);
  });

  it.each([SINGLE, BATCH])('rejects the next request with Retry-After: %s', async (path) => {
    await start(1);
    const key = await server.addTenant('acme');
    await server.post(SINGLE, key, { account_id: 'a' });
    now += 10_000;
    const answer = await server.post(path, key, { account_id: 'b' });
    expect(answer.statusCode).toBe(429);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'retry-after': '11',
    });
    expect(limitsOf(answer)).toEqual(['"key";q=1;w=60', '"key";r=0;t=11']);
    expect(answer.body).toBe(
      '{"success":false,"errors":["Too many requests. Send this one again in 11 seconds."],"errors_by_attributes":[]}',
    );
    expect(await server.store.accounts.find(1, 'b')).toBeUndefined();
  });

  it('starts again every minute', async () => {
    await start(1);
    const key = await server.addTenant('acme');
    const statuses: number[] = [];
    for (const wait of [0, 20_499, 1, 59_999, 1]) {
      now += wait;
      statuses.push((await server.post(SINGLE, key, { account_id: 'a' })).statusCode);
    }
    expect(statuses).toEqual([200, 429, 200, 429, 200]);
  });

  it('holds for concurrent requests', async () => {
    await start(7);
    const key = await server.addTenant('acme');
    const posts = Array.from({ length: 20 }, (_, i) => server.post(SINGLE, key, { account_id: `a-${i}` }));
    const statuses = (await Promise.all(posts)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(7);
    expect(statuses.filter((status) => status === 429)).toHaveLength(13);
  });

  it('is per key, and does not apply to operations without a key', async () => {
    await start(1);
    const key = await server.addTenant('acme');
    const other = await server.addTenant('other');
    await server.post(SINGLE, key, { account_id: 'a' });
    expect((await server.post(SINGLE, key, { account_id: 'a' })).statusCode).toBe(429);
    expect((await server.post(SINGLE, other, { account_id: 'a' })).statusCode).toBe(200);
    for (const path of ['/healthz', '/readyz', '/metrics', '/healthz']) {
      const answer = await server.app.inject(path);
      expect([path, answer.statusCode, ...limitsOf(answer)]).toEqual([path, 200, undefined, undefined]);
    }
    const stranger = await server.post(SINGLE, 'none', { account_id: 'a' });
    expect([stranger.statusCode, ...limitsOf(stranger)]).toEqual([401, undefined, undefined]);
  });

  it('does not exist by default', async () => {
    await start();
    const key = await server.addTenant('acme');
    const answer = await server.post(SINGLE, key, { account_id: 'a' });
    expect([answer.statusCode, ...limitsOf(answer)]).toEqual([200, undefined, undefined]);
  });
});

describe('a limit of requests on PostgreSQL', () => {
  it('applies to all processes on one database together', async () => {
    now = START;
    const database = await urlForTest(freshPostgres);
    const options = { config: { rateLimit: 30 }, store: { database }, clock: () => now };
    const other = await RunningServer.start(options);
    server = await RunningServer.start(options);
    const key = await server.addTenant('acme');
    const posts = Array.from({ length: 80 }, (_, i) =>
      (i % 2 === 0 ? server : other).post(SINGLE, key, { account_id: `a-${i}` }),
    );
    const statuses = (await Promise.all(posts)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(50);
    await other.stop();
  });

  it('accepts requests if it cannot be checked, and logs that once a minute', async () => {
    now = START;
    const database = await urlForTest(freshPostgres);
    server = await RunningServer.start({ config: { rateLimit: 1 }, store: { database }, clock: () => now });
    const key = await server.addTenant('acme');
    await queryOnce(database, 'drop table rate_limit');
    const statuses: number[] = [];
    for (const wait of [0, 0, 60_000]) {
      now += wait;
      statuses.push((await server.post(SINGLE, key, { account_id: 'a' })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200]);
    expect(server.log.filter(({ msg }) => msg === 'rate limits are not checked')).toHaveLength(2);
  });
});
