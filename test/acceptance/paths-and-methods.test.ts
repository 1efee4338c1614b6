import { describe, expect, it } from 'vitest';
import { expectEnvelope } from './expectations.js';
import { operations } from './operations.js';
import { asJson, send } from './requests.js';

const nothingHere = 'There is nothing at this path.';

describe('an unknown path', () => {
  it.each([
    '/api/v1_1',
    '/api/v1_1/unknown',
    '/api/v1_1/account/acme',
    '/api/v1_1/accounts/acme',
    '/api/v1/account',
    '/api/v1_2/account',
    '/account',
  ])('is not found without a key, whatever the method: %s', async (path) => {
    expectEnvelope(await send(path, { method: 'GET' }), 404, nothingHere);
    expectEnvelope(await send(path, { headers: asJson, body: '{"account_id":"a"}' }), 404, nothingHere);
  });
});

describe.each(operations)('the path of $name', ({ path }) => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])(
    'does not accept %s, and asks for no key to say so',
    async (method) => {
      const answer = await send(path, { method });
      expectEnvelope(answer, 405, 'This path accepts POST only.');
      expect(answer.headers.get('allow')).toBe('POST');
    },
  );

  it('does not look at the body of another method', async () => {
    const answer = await send(path, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: '{' });
    expectEnvelope(answer, 405, 'This path accepts POST only.');
  });

  it('does not accept HEAD', async () => {
    const answer = await send(path, { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 405, text: '' });
    expect(answer.headers.get('allow')).toBe('POST');
  });
});

describe('the state of the service', () => {
  it.each([
    ['/healthz', { status: 'ok' }],
    ['/readyz', { status: 'ready' }],
  ])('is told at %s without a key', async (path, body) => {
    const answer = await send(path, { method: 'GET' });
    expect({ status: answer.status, body: JSON.parse(answer.text) }).toEqual({ status: 200, body });
  });
});
