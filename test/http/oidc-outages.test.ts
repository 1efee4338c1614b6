import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CookieBrowser } from '../support/cookie-browser.js';
import { OpenIdProvider } from '../support/openid-provider.js';
import { OidcFlow, problemOf, REDIRECT_URI } from './oidc-flow.js';

const DISCOVERY = '/.well-known/openid-configuration';
const TIMED_OUT = 'no answer in time';
/** Of each request, in tests of a provider that hangs. */
const SHORT_MS = 1_000;

let provider: OpenIdProvider;
let flow: OidcFlow;
beforeEach(async () => {
  provider = await OpenIdProvider.start();
  provider.register(REDIRECT_URI);
  provider.user = 'u-17';
  provider.users.set('u-17', { email: 'kim@acme.example', email_verified: true });
  flow = new OidcFlow(provider);
});
afterEach(() => provider.stop());

const json = (body: unknown) => (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const hang = () => {};
/** The head of a response, and never its body. */
const hangLater = (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
const start = () => flow.signIn.start(REDIRECT_URI, undefined);

describe('a sign-in cannot begin, and can when the provider works again', () => {
  const large = json({ text: 'x'.repeat(1024 * 1024) });
  const status =
    (code: number, headers = {}) =>
    (_request: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(code, headers).end('<html>');

  const withoutEndpoints = (request: IncomingMessage, response: ServerResponse) =>
    json({ issuer: provider.issuer })(request, response);

  it.each([
    [
      'has no address for sign-ins',
      withoutEndpoints,
      'authorization server metadata does not contain a valid "as.authorization_endpoint"',
    ],
    ['hangs', hang, TIMED_OUT],
    ['hangs in the middle of its answer', hangLater, TIMED_OUT],
    ['closes the connection', (request: IncomingMessage) => void request.socket.destroy(), 'UND_ERR_SOCKET'],
    ['fails', status(503), 'unexpected HTTP response status code: 503'],
    ['redirects', status(302, { location: '/' }), 'unexpected HTTP response status code: 302'],
    ['answers a page', status(200, { 'content-type': 'text/html' }), 'unexpected response content-type: 200'],
    ['answers without end', large, 'the response has more than 1048576 bytes'],
    [
      'is another provider',
      json({ issuer: 'https://login.example.com' }),
      'discovered metadata issuer does not match the expected issuer',
    ],
  ])('if the provider %s', async (_what, failure, reason) => {
    if (reason === TIMED_OUT) flow = new OidcFlow(provider, {}, SHORT_MS);
    provider.failures.set(DISCOVERY, failure);
    expect(await problemOf(start())).toEqual(['oidc_unreachable', reason]);
    provider.failures.clear();
    expect((await flow.identity()).subject).toBe('u-17');
  });

  it('if the provider is down', async () => {
    const { port } = provider;
    await provider.stop();
    expect(await problemOf(start())).toEqual(['oidc_unreachable', 'ECONNREFUSED']);
    provider = await OpenIdProvider.start(port);
    provider.register(REDIRECT_URI);
    expect((await start()).url.port).toBe(String(port));
  });
});

it('a provider that hangs gets one discovery at a time, however many want to sign in', async () => {
  flow = new OidcFlow(provider, {}, SHORT_MS);
  provider.failures.set(DISCOVERY, hang);
  const attempts = await Promise.all(Array.from({ length: 100 }, () => problemOf(start())));
  expect(new Set(attempts.map(String))).toEqual(new Set([`oidc_unreachable,${TIMED_OUT}`]));
  expect(provider.requests).toEqual([DISCOVERY]);
});

describe('a sign-in fails within its time', () => {
  it.each([
    ['/token', hang, 'oidc_unreachable', TIMED_OUT],
    ['/token', hangLater, 'oidc_unreachable', TIMED_OUT],
    ['/jwks', hang, 'oidc_unreachable', TIMED_OUT],
    ['/me', hang, 'oidc_unreachable', TIMED_OUT],
    [
      '/token',
      json({ access_token: 'x', token_type: 'bearer' }),
      'oidc_token_invalid',
      '"response" body "id_token" property must be a string',
    ],
    ['/token', json([]), 'oidc_token_invalid', '"response" body must be a top level object'],
    [
      '/jwks',
      json({ keys: [] }),
      'oidc_token_invalid',
      'error when selecting a JWT verification key, no applicable keys found',
    ],
  ])('if %s does not do its part', async (path, failure, code, reason) => {
    if (reason === TIMED_OUT) flow = new OidcFlow(provider, {}, SHORT_MS);
    provider.failures.set(path, failure);
    expect(await flow.problem()).toEqual([code, reason]);
    provider.failures.clear();
    expect((await flow.identity()).subject).toBe('u-17');
  });

  it('if the provider has stopped meanwhile', async () => {
    const { callback, pending } = await flow.callback();
    await provider.stop();
    expect((await problemOf(flow.signIn.finish(callback, pending)))[0]).toBe('oidc_unreachable');
  });
});

it('at most 50 sign-ins wait for the provider; others are refused at once, and not when these are done', async () => {
  flow = new OidcFlow(provider);
  const waiting: ServerResponse[] = [];
  provider.failures.set('/token', (_request, response) => void waiting.push(response));
  const { callback, pending } = await flow.callback();
  const attempts = Array.from({ length: 50 }, () => problemOf(flow.signIn.finish(callback, pending)));
  await expect.poll(() => waiting.length).toBe(50);
  expect(await problemOf(flow.signIn.finish(callback, pending))).toEqual(['oidc_busy', '50 sign-ins wait']);
  for (const response of waiting)
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"x"}');
  expect(new Set((await Promise.all(attempts)).map(String))).toEqual(
    new Set(['oidc_refused,the provider answered x']),
  );
  provider.failures.clear();
  expect((await flow.identity()).subject).toBe('u-17');
});

it('a provider that did not answer is discovered again, since it may have moved', async () => {
  await flow.identity();
  provider.failures.set('/token', (request) => request.socket.destroy());
  expect((await flow.problem())[0]).toBe('oidc_unreachable');
  provider.failures.clear();
  provider.requests.length = 0;
  await flow.callback(new CookieBrowser());
  expect(provider.requests[0]).toBe(DISCOVERY);
});
