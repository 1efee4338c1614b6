import { RefusedError, type Retry, UnavailableError, UnexpectedAnswerError } from '@account-sync/client';
import { afterEach, describe, expect, it } from 'vitest';
import { delayAfter } from '../../client/dist/retries.js';
import { retryAfterMs } from '../../client/dist/retry-after.js';
import { type Answer, cut, json, overloaded, ScriptedServer, silent, stored } from './scripted-server.js';

let server: ScriptedServer;
afterEach(() => server.stop());

const ACCOUNT = { account_id: 'acme', name: 'Acme' };
const POST = 'POST /api/v1_1/account';

async function failureOf(promise: Promise<unknown>) {
  const failure = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeDefined();
  return failure;
}

describe('an attempt that fails in passing is repeated', () => {
  const cutAmidBody: Answer = (_request, response) => {
    response.writeHead(200, { 'content-length': 16, 'account-sync-result': 'created' });
    response.write('{"succ', () => response.destroy());
  };
  it.each<[string, Answer]>([
    ['429', json(429, {}, { 'retry-after': '0' })],
    ['500', json(500, { success: false, errors: ['Internal Server Error.'], errors_by_attributes: [] })],
    ['502 of a proxy', json(502, 'Bad Gateway')],
    ['503', overloaded],
    ['504 of a proxy', json(504, 'Gateway Timeout')],
    ['a connection that is cut before the answer', cut],
    ['a connection that is cut amid the answer', cutAmidBody],
    ['silence for longer than the time limit', silent],
  ])('after %s', async (_what, answer) => {
    server = await ScriptedServer.start([answer, stored]);
    const outcome = await server.client({ timeoutMs: 2000 }).upsert(ACCOUNT);
    expect(outcome).toEqual({ result: 'created', requestId: 'r1' });
    expect(server.seen).toEqual([POST, POST]);
  });
});

describe('an attempt that fails for good is not repeated', () => {
  it.each([400, 401, 403, 404, 405, 408, 413, 415])('after %i', async (status) => {
    server = await ScriptedServer.start([
      json(status, { success: false, errors: ['No.'], errors_by_attributes: [] }),
    ]);
    const failure = await failureOf(server.client().upsert(ACCOUNT));
    expect(failure).toBeInstanceOf(RefusedError);
    expect(failure).toMatchObject({
      status,
      messages: ['No.'],
      errors: {},
      record: ACCOUNT,
      requestId: 'r1',
    });
    expect(server.seen).toEqual([POST]);
  });

  it('after a redirect, which names the address to use', async () => {
    server = await ScriptedServer.start([json(301, '', { location: 'https://elsewhere.example/' })]);
    const failure = await failureOf(server.client().upsert(ACCOUNT));
    expect(failure).toBeInstanceOf(RefusedError);
    expect((failure as Error).message).toBe(
      `POST http://127.0.0.1:${server.port}/api/v1_1/account redirects to https://elsewhere.example/. ` +
        'Give the address behind it as url.',
    );
    expect(server.seen).toEqual([POST]);
  });

  it('after an answer that is not the service’s', async () => {
    server = await ScriptedServer.start([json(200, '<html>')]);
    expect(await failureOf(server.client().upsert(ACCOUNT))).toBeInstanceOf(UnexpectedAnswerError);
    expect(server.seen).toEqual([POST]);
  });
});

describe('giving up', () => {
  it('comes after the number of retries that was set, and tells the last failure', async () => {
    server = await ScriptedServer.start([overloaded]);
    const failure = await failureOf(server.client({ retries: 2 }).upsert(ACCOUNT));
    expect(failure).toBeInstanceOf(UnavailableError);
    expect(failure).toMatchObject({
      message:
        `POST http://127.0.0.1:${server.port}/api/v1_1/account answered 503: Too many writes. (request r1) ` +
        'Given up after 3 attempts. Repeating later is safe.',
      status: 503,
      attempts: 3,
      requestId: 'r1',
      cause: expect.any(UnavailableError),
    });
    expect(server.seen).toEqual([POST, POST, POST]);
  });

  it('names what broke the connection', async () => {
    server = await ScriptedServer.start([stored]);
    const client = server.client({ retries: 1 });
    const { port } = server;
    await server.stop();
    const failure = (await failureOf(client.upsert(ACCOUNT))) as UnavailableError;
    expect(failure.message).toBe(
      `The connection for POST http://127.0.0.1:${port}/api/v1_1/account broke: connect ECONNREFUSED ` +
        `127.0.0.1:${port}. Given up after 2 attempts. Repeating later is safe.`,
    );
    expect(failure.cause).toBeInstanceOf(TypeError);
    server = await ScriptedServer.start([stored]);
  });

  it('comes at once where the server asks to wait for very long, in seconds or until a date', async () => {
    const date = { date: 'Mon, 01 Jan 2024 00:00:00 GMT', 'retry-after': 'Mon, 01 Jan 2024 01:00:00 GMT' };
    server = await ScriptedServer.start([json(429, {}, { 'retry-after': '3600' }), json(503, {}, date)]);
    for (const status of [429, 503]) {
      const failure = await failureOf(server.client().upsert(ACCOUNT));
      expect(failure).toMatchObject({ status, attempts: 1, retryAfterMs: 3_600_000 });
      expect((failure as Error).message).toContain('the server asks to wait 3600 s');
    }
    expect(server.seen).toEqual([POST, POST]);
  });

  it('comes when the time is up that was set, however many attempts that takes, and tells of each wait', async () => {
    server = await ScriptedServer.start([overloaded]);
    const waits: Retry[] = [];
    const client = server.client({ retryForMs: 400, onRetry: (retry) => waits.push(retry) });
    const failure = (await failureOf(client.upsert(ACCOUNT))) as UnavailableError;
    expect(failure.attempts).toBe(server.seen.length);
    expect(failure.message).toMatch(/ Given up after \w+ attempts\. Repeating later is safe\.$/);
    expect(waits).toEqual(
      server.seen.slice(1).map(() => ({ error: expect.any(UnavailableError), delayMs: expect.any(Number) })),
    );
    expect(waits.every(({ delayMs }) => delayMs <= 400)).toBe(true);
  });

  it('is over when an attempt succeeds, which is told of where there was one', async () => {
    server = await ScriptedServer.start([stored, overloaded, overloaded, stored]);
    let recoveries = 0;
    const client = server.client({ onRecovered: () => recoveries++ });
    await client.upsert(ACCOUNT);
    expect(recoveries).toBe(0);
    await client.upsert(ACCOUNT);
    expect(recoveries).toBe(1);
  });

  it('comes at once where the server asks to wait for longer than the time that was set', async () => {
    server = await ScriptedServer.start([json(429, {}, { 'retry-after': '5' })]);
    const failure = await failureOf(server.client({ retryForMs: 4_000 }).upsert(ACCOUNT));
    expect(failure).toMatchObject({ status: 429, attempts: 1, retryAfterMs: 5_000 });
    expect(server.seen).toEqual([POST]);
  });
});

describe('a signal', () => {
  it('ends the wait between two attempts, with its reason', async () => {
    const controller = new AbortController();
    server = await ScriptedServer.start([
      (request, response) => {
        response.on('close', () => setImmediate(() => controller.abort('enough')));
        return json(503, {}, { 'retry-after': '60' })(request, response);
      },
    ]);
    const { signal } = controller;
    expect(await failureOf(server.client().upsert(ACCOUNT, { signal }))).toBe('enough');
    expect(server.seen).toEqual([POST]);
  });

  it('ends an attempt, with its reason', async () => {
    const controller = new AbortController();
    server = await ScriptedServer.start([() => controller.abort('enough')]);
    const { signal } = controller;
    expect(await failureOf(server.client().upsert(ACCOUNT, { signal }))).toBe('enough');
    expect(server.seen).toEqual([POST]);
  });

  it('may be shared by many calls, without a warning', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    server = await ScriptedServer.start([stored]);
    const client = server.client();
    const { signal } = new AbortController();
    const calls = Array.from({ length: 20 }, (_, account_id) => client.upsert({ account_id }, { signal }));
    expect(await Promise.all(calls)).toHaveLength(20);
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });

  it('that is aborted already lets nothing out', async () => {
    server = await ScriptedServer.start([stored]);
    const signal = AbortSignal.abort('never');
    expect(await failureOf(server.client().upsert(ACCOUNT, { signal }))).toBe('never');
    expect(server.seen).toEqual([]);
  });
});

describe('how long is waited', () => {
  it('is what the header says, by the clock of the server', () => {
    const at = (retryAfter: string, date?: string) =>
      retryAfterMs(new Headers({ 'retry-after': retryAfter, ...(date && { date }) }));
    expect(at('7')).toBe(7000);
    expect(at('Fri, 31 May 2030 10:00:09 GMT', 'Fri, 31 May 2030 10:00:00 GMT')).toBe(9000);
    expect(at('Fri, 31 May 2030 10:00:00 GMT', 'Fri, 31 May 2030 10:00:09 GMT')).toBe(0);
    expect(at('Fri, 31 May 2002 10:00:00 GMT')).toBe(0);
    expect(at('soon')).toBeUndefined();
    expect(retryAfterMs(new Headers())).toBeUndefined();
  });

  it('is anything up to a limit that doubles, on top of what the server asks for', () => {
    const asked = new UnavailableError('Later.', { retryAfterMs: 5000 });
    for (const [repetition, longest] of [
      250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ].entries()) {
      const delays = Array.from({ length: 100 }, () => delayAfter(undefined, repetition));
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...delays)).toBeLessThan(longest);
      expect(delayAfter(asked, repetition)).toBeGreaterThanOrEqual(5000);
    }
  });
});
