import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../../dist/config.js';
import { generateKey } from '../../dist/domain/api-key.js';
import { metricsIn } from '../support/metrics-in.js';
import { RunningServer } from './running-server.js';
import { NOON, problem } from './v2-server.js';

const WRONG = generateKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)));
const TOO_MANY = (seconds: number) => ({
  status: 429,
  retryAfter: String(seconds),
  body: problem(
    429,
    'sign_in_throttled',
    `Too many sign-ins have failed at this address. Try again in ${seconds} seconds.`,
  ),
});

let server: RunningServer;
let now: number;
let today: number;
let key: string;
afterEach(() => server.stop());

async function start(config: Partial<Config> = {}): Promise<void> {
  now = 5_000;
  today = NOON;
  server = await RunningServer.start({ config, clock: () => today, parts: { elapsed: () => now } });
  key = await server.addTenant('acme');
}

async function signIn(sent: string, remoteAddress = '203.0.113.7', headers: Record<string, string> = {}) {
  const {
    statusCode,
    headers: answered,
    json,
  } = await server.app.inject({
    method: 'POST',
    url: '/api/v2/session',
    remoteAddress,
    headers: { 'x-request-id': 'r', ...headers },
    payload: { key: sent },
  });
  return { status: statusCode, retryAfter: answered['retry-after'], body: json() };
}

const statusesOf = async (count: number, ...sent: Parameters<typeof signIn>) => {
  const answers = await Promise.all(Array.from({ length: count }, () => signIn(...sent)));
  return answers.map(({ status }) => status).sort();
};
const rejected = (count: number) => Array(count).fill(401);

describe('failed sign-ins', () => {
  beforeEach(() => start());

  it('are limited to ten per address, then one a minute; a valid key waits no longer, and resets nothing', async () => {
    for (const status of rejected(10)) expect((await signIn(WRONG.key)).status).toBe(status);
    expect(await signIn(WRONG.key)).toEqual(TOO_MANY(60));
    now += 15_500;
    expect(await signIn(key)).toEqual(TOO_MANY(45));
    now += 44_500;
    expect((await signIn(key)).status).toBe(201);
    expect((await signIn(WRONG.key)).status).toBe(401);
    expect(await signIn(WRONG.key)).toEqual(TOO_MANY(60));
    now += 10 * 60_000;
    expect(await statusesOf(11, WRONG.key)).toEqual([...rejected(10), 429]);
  });

  it('are limited under concurrency, too', async () => {
    expect(await statusesOf(50, WRONG.key)).toEqual([...rejected(10), ...Array(40).fill(429)]);
  });

  it('do not affect other addresses; an IPv6 /64 counts as one', async () => {
    expect(await statusesOf(11, WRONG.key)).toContain(429);
    expect((await signIn(key, '203.0.113.8')).status).toBe(201);
    for (let i = 0; i < 10; i += 1) await signIn(WRONG.key, `2001:db8::${i}`);
    expect((await signIn(key, '2001:db8::ffff:1')).status).toBe(429);
    expect((await signIn(key, '2001:db8:0:1::1')).status).toBe(201);
  });

  it('do not affect keys in the header, which are not counted', async () => {
    expect(await statusesOf(11, WRONG.key)).toContain(429);
    const post = (sent: string) =>
      server.post('/api/v1_1/account', sent, { account_id: 'a' }, { remoteAddress: '203.0.113.7' });
    expect((await post(key)).statusCode).toBe(200);
    for (let i = 0; i < 20; i += 1) expect((await post(WRONG.key)).statusCode).toBe(401);
  });

  it('do not include successful sign-ins and failures of the server', async () => {
    for (let i = 0; i < 20; i += 1) expect((await signIn(key)).status).toBe(201);
    server.breakDatabase('alter table api_key rename to gone');
    const unknown = 'x'.repeat(40);
    for (let i = 0; i < 20; i += 1) expect((await signIn(unknown)).status).toBe(500);
    server.breakDatabase('alter table gone rename to api_key');
    expect((await signIn(unknown)).status).toBe(401);
  });

  it('are counted in monotonic time, also if the clock is set', async () => {
    expect((await signIn(key)).status).toBe(201);
    today -= 86_400_000;
    expect((await signIn(key)).status).toBe(201);
    expect(await statusesOf(10, WRONG.key)).toEqual(rejected(10));
    today += 2 * 86_400_000;
    expect(await signIn(WRONG.key)).toEqual(TOO_MANY(60));
  });

  it('are in the log, with the address and the id of the key, and in the metrics', async () => {
    await signIn(WRONG.key);
    await signIn('a-key-of-another-form-and-long-enough');
    const lines = server.log.filter(({ msg }) => msg === 'sign-in failed');
    expect(lines).toEqual(
      [{ key: WRONG.id }, {}].map((named) => ({
        level: 40,
        time: expect.any(Number),
        pid: expect.any(Number),
        hostname: expect.any(String),
        id: 'r',
        address: '203.0.113.7',
        ...named,
        problem: 'unauthenticated',
        msg: 'sign-in failed',
      })),
    );
    const metrics = metricsIn((await server.app.inject('/metrics')).body);
    const name = 'account_sync_http_requests_total{operation="sign-in",method="POST",status="401"}';
    expect(metrics[name]).toBe(2);
  });
});

describe('with a proxy', () => {
  it('the address is the one that a trusted proxy forwards', async () => {
    await start({ trustProxy: ['203.0.113.0/24'] });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    for (let i = 0; i < 10; i += 1) await signIn(WRONG.key, '203.0.113.7', from('198.51.100.1'));
    expect((await signIn(key, '203.0.113.9', from('198.51.100.1'))).status).toBe(429);
    expect((await signIn(key, '203.0.113.7', from('198.51.100.2'))).status).toBe(201);
  });

  it('the header is ignored from clients that are not trusted', async () => {
    await start({ trustProxy: ['203.0.113.0/24'] });
    for (let i = 0; i < 10; i += 1) {
      await signIn(WRONG.key, '192.0.2.1', { 'x-forwarded-for': `198.51.100.${i}` });
    }
    expect((await signIn(key, '192.0.2.1')).status).toBe(429);
  });

  it('an invalid forwarded address is replaced by that of the proxy', async () => {
    await start({ trustProxy: true });
    for (let i = 0; i < 10; i += 1) await signIn(WRONG.key, '203.0.113.7', { 'x-forwarded-for': `x-${i}` });
    expect((await signIn(key, '203.0.113.7')).status).toBe(429);
  });
});
