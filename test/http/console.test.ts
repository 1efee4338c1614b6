import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningServer } from './running-server.js';

let server: RunningServer;
beforeAll(async () => {
  server = await RunningServer.start();
});
afterAll(() => server.stop());

const FIRST_LOAD_BYTES = 250_000;

describe('the console', () => {
  it('is one page at every path, with a policy that forbids resources of other origins', async () => {
    const answers = await Promise.all(
      ['/console', '/console/', '/console/accounts/a%2Fb'].map((url) => server.app.inject(url)),
    );
    for (const { statusCode, headers, body } of answers) {
      const nonce = /name="style-nonce" content="([^"]+)"/.exec(body)?.[1];
      expect(statusCode).toBe(200);
      expect(headers).toEqual({
        'x-request-id': expect.any(String),
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy':
          `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(), geolocation=(), microphone=()',
        'content-type': 'text/html; charset=utf-8',
        'content-length': expect.any(String),
        date: expect.any(String),
        connection: 'keep-alive',
      });
    }
    const nonces = new Set(answers.map(({ headers }) => headers['content-security-policy']));
    expect(nonces.size).toBe(answers.length);
  });

  it('is the target of a redirect from /', async () => {
    const { statusCode, headers } = await server.app.inject('/');
    expect([statusCode, headers.location]).toEqual([302, '/console']);
  });

  it('has files with hashed names, which may be cached and are compressed', async () => {
    const { body } = await server.app.inject('/console');
    const files = [...body.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+\.(?:js|css))"/g)].map(
      (file) => file[1],
    );
    expect(files.length).toBeGreaterThan(1);
    let size = 0;
    for (const url of files as string[]) {
      const packed = await server.app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
      expect(packed.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-encoding': 'gzip',
        vary: 'accept-encoding',
        'x-content-type-options': 'nosniff',
      });
      size += packed.rawPayload.length;
      const plain = await server.app.inject(url);
      expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined]);
    }
    expect(size).toBeLessThan(FIRST_LOAD_BYTES);
  });

  it.each([
    '/console/assets/index-0000.js',
    '/console/assets/',
    '/console/assets/../index.html',
    '/console/assets/..%2findex.html',
    '/console/assets/%2e%2e/%2e%2e/main.js',
  ])('has no other files: %s', async (url) => {
    const { statusCode, body } = await server.app.inject(url);
    // A path that leads out of the folder is a page of the console, or 404.
    expect(statusCode === 404 || body.includes('<div id="root">')).toBe(true);
  });

  it('rejects other methods', async () => {
    const { statusCode, headers } = await server.app.inject({ method: 'POST', url: '/console' });
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});
