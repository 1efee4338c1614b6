import { describe, expect, it } from 'vitest';
import { batch, operations, single } from './operations.js';
import { asJson, freshId, send, withKey } from './requests.js';
import { sampleResponses } from './sample-responses.js';
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

  it.each(sampleResponses(body))('is given in the response to: %s', async (_what, status, message) => {
    const response = await send(path, message());
    expect(response.status).toBe(status);
    expect(response.headers.get('x-request-id')).toMatch(requestId);
  });

  it.each(sampleResponses(body))('is echoed in the response to: %s', async (_what, _status, message) => {
    const { headers, ...rest } = message();
    const response = await send(path, { ...rest, headers: { ...headers, 'x-request-id': 'trace:1' } });
    expect(response.headers.get('x-request-id')).toBe('trace:1');
  });

  it.each(['a', 'Job-7_b.c:D', 'x'.repeat(64)])('is echoed when the caller sends %s', async (id) => {
    expect((await sendWith(id)).headers.get('x-request-id')).toBe(id);
  });

  it.each(['', 'x'.repeat(65), 'two words', 'a/b', 'a,b', '<script>', 'é', '%0a'])(
    'is replaced by a new one when the caller sends "%s"',
    async (id) => {
      const given = (await sendWith(id)).headers.get('x-request-id');
      expect(given).toMatch(requestId);
      expect(given).not.toBe(id);
    },
  );

  it('is different for each request', async () => {
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
  ])('is given and echoed in the response to %s %s', async (method, path) => {
    expect((await send(path, { method })).headers.get('x-request-id')).toMatch(requestId);
    const response = await send(path, { method, headers: { 'x-request-id': 'trace:1' } });
    expect(response.headers.get('x-request-id')).toBe('trace:1');
  });
});
