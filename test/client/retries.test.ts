import { RefusedError, type Retry, UnavailableError, UnexpectedAnswerError } from '@account-sync/client';
import { afterEach, describe, expect, it } from 'vitest';
import { delayAfter } from '../../client/dist/retries.js';
import { retryAfterMs } from '../../client/dist/retry-after.js';
import {
  cut,
  json,
  overloaded,
  type RequestHandler,
  ScriptedServer,
  silent,
  stored,
} from './scripted-server.js';

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

describe('an attempt with a temporary failure is repeated', () => {
  const cutWithinBody: RequestHandler = (_request, response) => {
    response.writeHead(200, { 'content-length': 16, 'account-sync-result': 'created' });
    response.write('{"succ', () => response.destroy());
  };
  it.each<[string, RequestHandler]>([
    ['429', json(429, {}, { 'retry-after': '0' })],
    ['500', json(500, { success: false, errors: ['Internal Server Error.'], errors_by_attributes: [] })],
    ['502 of a proxy', json(502, 'Bad Gateway')],
    ['503', overloaded],
    ['504 of a proxy', json(504, 'Gateway Timeout')],
    ['a connection that is cut before the response', cut],
    ['a connection that is cut within the response', cutWithinBody],
    ['silence for longer than the time limit', silent],
  ])('after %s', async (_what, handler) => {
    server = await ScriptedServer.start([handler, stored]);
    const outcome = await server.client({ timeoutMs: 2000 }).upsert(ACCOUNT);
    expect(outcome).toEqual({ result: 'created', requestId: 'r1', kept: [] });
    expect(server.seen).toEqual([POST, POST]);
  });
});

describe('an attempt with a permanent failure is not repeated', () => {
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
        'Set url to the address of that server.',
    );
    expect(server.seen).toEqual([POST]);
  });

  it('after a response that does not come from the service', async () => {
    server = await ScriptedServer.start([json(200, '<html>')]);
    expect(await failureOf(server.client().upsert(ACCOUNT))).toBeInstanceOf(UnexpectedAnswerError);
    expect(server.seen).toEqual([POST]);
  });
});

describe('giving up', () => {
  it('keeps the code of the error that the server returned', async () => {
    const body = { type: 't', title: 'T', status: 503, detail: 'D.', code: 'too_many_reads', errors: [] };
    server = await ScriptedServer.start([json(503, body)]);
    expect(await failureOf(server.client({ retries: 1 }).get('a'))).toMatchObject({
      name: 'UnavailableError',
      code: 'too_many_reads',
      attempts: 2,
    });
  });

  it('happens after `retries`, and reports the last failure', async () => {
    server = await ScriptedServer.start([overloaded]);
    const failure = await failureOf(server.client({ retries: 2 }).upsert(ACCOUNT));
    expect(failure).toBeInstanceOf(UnavailableError);
    expect(failure).toMatchObject({
      message:
        `POST http://127.0.0.1:${server.port}/api/v1_1/account returned 503: Too many writes. (request r1) ` +
        'Gave up after 3 attempts. It is safe to try again later.',
      status: 503,
      attempts: 3,
      requestId: 'r1',
      cause: expect.any(UnavailableError),
    });
    expect(server.seen).toEqual([POST, POST, POST]);
  });

  it('reports the reason of the failed connection', async () => {
    server = await ScriptedServer.start([stored]);
    const client = server.client({ retries: 1 });
    const { port } = server;
    await server.stop();
    const failure = (await failureOf(client.upsert(ACCOUNT))) as UnavailableError;
    expect(failure.message).toBe(
      `The connection for POST http://127.0.0.1:${port}/api/v1_1/account failed: connect ECONNREFUSED ` +
        `127.0.0.1:${port}. Gave up after 2 attempts. It is safe to try again later.`,
    );
    expect(failure.cause).toBeInstanceOf(TypeError);
    server = await ScriptedServer.start([stored]);
  });

  it('happens immediately if Retry-After is very long, in seconds or as a date', async () => {
    const date = { date: 'Mon, 01 Jan 2024 00:00:00 GMT', 'retry-after': 'Mon, 01 Jan 2024 01:00:00 GMT' };
    server = await ScriptedServer.start([json(429, {}, { 'retry-after': '3600' }), json(503, {}, date)]);
    for (const status of [429, 503]) {
      const failure = await failureOf(server.client().upsert(ACCOUNT));
      expect(failure).toMatchObject({ status, attempts: 1, retryAfterMs: 3_600_000 });
      expect((failure as Error).message).toContain('the server asks to wait 3600 s');
    }
    expect(server.seen).toEqual([POST, POST]);
  });

  it('happens after `retryForMs`, after any number of attempts, and reports each wait', async () => {
    server = await ScriptedServer.start([overloaded]);
    const waits: Retry[] = [];
    const client = server.client({ retryForMs: 400, onRetry: (retry) => waits.push(retry) });
    const failure = (await failureOf(client.upsert(ACCOUNT))) as UnavailableError;
    expect(failure.attempts).toBe(server.seen.length);
    expect(failure.message).toMatch(/ Gave up after \w+ attempts\. It is safe to try again later\.$/);
    expect(waits).toEqual(
      server.seen.slice(1).map(() => ({ error: expect.any(UnavailableError), delayMs: expect.any(Number) })),
    );
    expect(waits.every(({ delayMs }) => delayMs <= 400)).toBe(true);
  });

  it('does not happen if a retry succeeds, which is reported', async () => {
    server = await ScriptedServer.start([stored, overloaded, overloaded, stored]);
    let recoveries = 0;
    const client = server.client({ onRecovered: () => recoveries++ });
    await client.upsert(ACCOUNT);
    expect(recoveries).toBe(0);
    await client.upsert(ACCOUNT);
    expect(recoveries).toBe(1);
  });

  it('happens immediately if Retry-After is longer than `retryForMs`', async () => {
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

  it('that is already aborted prevents the request', async () => {
    server = await ScriptedServer.start([stored]);
    const signal = AbortSignal.abort('never');
    expect(await failureOf(server.client().upsert(ACCOUNT, { signal }))).toBe('never');
    expect(server.seen).toEqual([]);
  });
});

describe('the wait before a retry', () => {
  it('is the value of Retry-After, by the clock of the server', () => {
    const at = (retryAfter: string, date?: string) =>
      retryAfterMs(new Headers({ 'retry-after': retryAfter, ...(date && { date }) }));
    expect(at('7')).toBe(7000);
    expect(at('Fri, 31 May 2030 10:00:09 GMT', 'Fri, 31 May 2030 10:00:00 GMT')).toBe(9000);
    expect(at('Fri, 31 May 2030 10:00:00 GMT', 'Fri, 31 May 2030 10:00:09 GMT')).toBe(0);
    expect(at('Fri, 31 May 2002 10:00:00 GMT')).toBe(0);
    expect(at('soon')).toBeUndefined();
    expect(retryAfterMs(new Headers())).toBeUndefined();
  });

  it('is random up to a limit that doubles, in addition to Retry-After', () => {
    const asked = new UnavailableError('Later.', { retryAfterMs: 5000 });
    for (const [retry, longest] of [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
      const delays = Array.from({ length: 100 }, () => delayAfter(undefined, retry));
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...delays)).toBeLessThan(longest);
      expect(delayAfter(asked, retry)).toBeGreaterThanOrEqual(5000);
    }
  });
});
