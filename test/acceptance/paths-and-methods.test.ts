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
  ])('is not found without a key, for any method: %s', async (path) => {
    expectEnvelope(await send(path, { method: 'GET' }), 404, nothingHere);
    expectEnvelope(await send(path, { headers: asJson, body: '{"account_id":"a"}' }), 404, nothingHere);
  });
});

describe.each(operations)('the path of $name', ({ path }) => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('rejects %s without asking for a key', async (method) => {
    const response = await send(path, { method });
    expectEnvelope(response, 405, 'This path accepts POST only.');
    expect(response.headers.get('allow')).toBe('POST');
  });

  it('ignores the body of another method', async () => {
    const response = await send(path, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain' },
      body: '{',
    });
    expectEnvelope(response, 405, 'This path accepts POST only.');
  });

  it('does not accept HEAD', async () => {
    const response = await send(path, { method: 'HEAD' });
    expect(response).toMatchObject({ status: 405, text: '' });
    expect(response.headers.get('allow')).toBe('POST');
  });
});

describe('the state of the service', () => {
  it.each([
    ['/healthz', { status: 'ok' }],
    ['/readyz', { status: 'ready' }],
  ])('is available at %s without a key', async (path, body) => {
    const response = await send(path, { method: 'GET' });
    expect({ status: response.status, body: JSON.parse(response.text) }).toEqual({ status: 200, body });
  });
});
