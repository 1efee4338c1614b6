import { describe, expect, it } from 'vitest';
import { batch, operations, single } from './operations.js';
import { asJson, freshId, send, withKey } from './requests.js';
import { answersOf } from './sample-answers.js';
import { target } from './target.js';

const requestId = /^[A-Za-z0-9._:-]{1,64}$/;

describe.each(operations)('the request id of $name', ({ path, body }) => {
  const sendWith = (id?: string) =>
    send(path, {
      headers: {
        ...asJson,
        ...withKey(target.keys.plain),
        ...(id === undefined ? {} : { 'x-request-id': id }),
      },
      body: body(`{"account_id":"${freshId()}"}`),
    });

  it.each(answersOf(body))('is given in the answer to: %s', async (_what, status, message) => {
    const answer = await send(path, message());
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-request-id')).toMatch(requestId);
  });

  it.each(answersOf(body))('is echoed in the answer to: %s', async (_what, _status, message) => {
    const { headers, ...rest } = message();
    const answer = await send(path, { ...rest, headers: { ...headers, 'x-request-id': 'trace:1' } });
    expect(answer.headers.get('x-request-id')).toBe('trace:1');
  });

  it.each(['a', 'Job-7_b.c:D', 'x'.repeat(64)])('is echoed when the caller sends %s', async (id) => {
    expect((await sendWith(id)).headers.get('x-request-id')).toBe(id);
  });

  it.each(['', 'x'.repeat(65), 'two words', 'a/b', 'a,b', '<script>', 'é', '%0a'])(
    'is made afresh when the caller sends "%s"',
    async (id) => {
      const given = (await sendWith(id)).headers.get('x-request-id');
      expect(given).toMatch(requestId);
      expect(given).not.toBe(id);
    },
  );

  it('is another one for each request', async () => {
    const [first, second] = await Promise.all([sendWith(), sendWith()]);
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
  });
});

describe('the request id elsewhere', () => {
  it.each([
    ['GET', '/api/v1_1/unknown'],
    ['GET', single.path],
    ['GET', batch.path],
    ['GET', '/healthz'],
    ['GET', '/readyz'],
  ])('is given and echoed in the answer to %s %s', async (method, path) => {
    expect((await send(path, { method })).headers.get('x-request-id')).toMatch(requestId);
    const answer = await send(path, { method, headers: { 'x-request-id': 'trace:1' } });
    expect(answer.headers.get('x-request-id')).toBe('trace:1');
  });
});
