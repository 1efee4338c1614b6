import { createHook } from 'node:async_hooks';
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectRoutes } from './collect-routes.js';
import { DescribedServer, KEYS, pathOf } from './described-server.js';
import type { Described } from './openapi-document.js';
import { problem } from './v2-server.js';

let server: DescribedServer;
let routes: readonly RouteOptions[];
beforeAll(async () => {
  [server, routes] = await collectRoutes(() => DescribedServer.start());
});
afterAll(() => server.stop());

const headers = { 'x-request-id': 'r' };

/** The first example of a body that is a JSON object. */
function bodyOf({ operation }: Described): object | undefined {
  const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {});
  const body = example && server.document.valueOf(example);
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : undefined;
}

describe('a field that only the service sets', () => {
  const READ_ONLY = [
    'tenant',
    'tenant_id',
    'id',
    'key',
    'hash',
    'key_id',
    'hosts',
    'state',
    'created_at',
    'revoked_at',
    'last_used_at',
    'is_built_in',
    'accounts',
    'revision',
    '__proto__x',
  ];

  it('is rejected in every body of /api/v2, with its pointer', async () => {
    const taking = server.document.operations.filter(
      (one) => one.path.startsWith('/api/v2/') && bodyOf(one) !== undefined,
    );
    expect(taking.length).toBeGreaterThan(7);
    for (const described of taking) {
      const example = bodyOf(described) as object;
      // The example of a sign-in has a password, but a tenant and a key are known, too.
      const known = described.name === 'sign-in' ? ['tenant', 'key'] : Object.keys(example);
      const claims = READ_ONLY.filter((name) => !known.includes(name));
      const body = { ...example, ...Object.fromEntries(claims.map((name) => [name, 'x'])) };
      const answer = await server.send(described, { headers, body });
      const place = described.name === 'patch-account' ? '; fields of accounts are in /body/fields' : '';
      const errors = Object.fromEntries(claims.map((name) => [`/body/${name}`, `is not known here${place}`]));
      expect([described.name, answer.json()]).toEqual([
        described.name,
        problem(400, 'invalid_request', 'The request is not valid.', errors),
      ]);
    }
  });

  it('is rejected in accounts, and cannot extend the scopes of a key', async () => {
    for (const name of ['created_at', 'updated_at', 'revision']) {
      const answer = await server.sendTo('upsert-account', { body: { account_id: 'a', [name]: 1 } });
      const message = `Account a, ${name} is read-only.`;
      expect(answer.json()).toEqual({
        success: false,
        errors: [message],
        errors_by_attributes: [{ [name]: [message] }],
      });
    }
    const grown = await server.sendTo('rotate-key', { headers, body: { scopes: ['admin'] } });
    expect(grown.json()).toEqual(
      problem(400, 'invalid_request', 'The request is not valid.', { '/body/scopes': 'is not known here' }),
    );
  });
});

describe('the size of a page', () => {
  it.each([
    ['0', 'must be >= 1'],
    ['-1', 'must be >= 1'],
    ['1001', 'must be <= 1000'],
    ['1e9', 'must be <= 1000'],
    ['all', 'must be integer'],
  ])('is limited in every listing: limit=%s', async (limit, detail) => {
    const listings = server.document.operations.filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'limit'),
    );
    expect(listings.length).toBeGreaterThan(6);
    for (const described of listings) {
      const answer = await server.send(described, { headers, path: `${pathOf(described)}?limit=${limit}` });
      const rejected = problem(400, 'invalid_request', 'The request is not valid.', {
        '/query/limit': detail,
      });
      expect([described.name, answer.json()]).toEqual([described.name, rejected]);
    }
  });
});

/** Outgoing activity: connections, DNS lookups, datagrams, child processes. */
const GOES_OUT =
  /^(TCPCONNECTWRAP|PIPECONNECTWRAP|UDPSENDWRAP|GETADDRINFOREQWRAP|GETNAMEINFOREQWRAP|QUERYWRAP|PROCESSWRAP)$/;

async function goingOutDuring(work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const hook = createHook({
    init: (_id, type) => {
      if (GOES_OUT.test(type)) seen.push(type);
    },
  }).enable();
  await work();
  hook.disable();
  return seen;
}

describe('addresses in requests', () => {
  it('are never called, in any field, path or header', async () => {
    const address = 'http://169.254.169.254/latest/meta-data';
    const calling = {
      host: '169.254.169.254',
      origin: address,
      referer: address,
      'x-forwarded-host': '169.254.169.254',
      'x-forwarded-for': '169.254.169.254',
      forwarded: 'for=169.254.169.254',
    };
    const { app } = server.running;
    const seen = await goingOutDuring(async () => {
      for (const described of server.document.operations) {
        const url = pathOf(described, address);
        const example = bodyOf(described) ?? {};
        const values = Object.entries(example).map(([name, value]) =>
          typeof value === 'string' && name !== 'type' ? [name, address] : [name, value],
        );
        const body = { account_id: address, name: address, custom_Url: address };
        await app.inject({
          method: described.method,
          url: `${url}?cursor=${encodeURIComponent(address)}`,
          headers: { authorization: `Bearer ${KEYS.all.key}`, ...calling },
          ...(described.operation.requestBody && {
            payload: described.path.startsWith('/api/v2') ? Object.fromEntries(values) : body,
          }),
        });
      }
    });
    expect(seen).toEqual([]);
  });

  it('would be detected if they were called', async () => {
    const seen = await goingOutDuring(async () => {
      await lookup('localhost');
      const socket = connect(1, '127.0.0.1');
      await new Promise((resolve) => socket.once('error', resolve));
    });
    expect(seen).toEqual(['GETADDRINFOREQWRAP', 'TCPCONNECTWRAP']);
  });
});

describe('the routes', () => {
  it('are those of the document, and the listed pages', () => {
    const described = server.document.operations.map(({ method, path }) => `${method} ${path}`);
    const served = routes.flatMap(({ method, url }) =>
      [method].flat().map((one) => `${one} ${url.replace(/:([^/]+)/g, '{$1}')}`),
    );
    const others = served.filter((route) => !described.includes(route.replace(/^HEAD/, 'GET')));
    expect(others.filter((route) => !route.startsWith('HEAD')).sort()).toEqual([
      'GET /',
      'GET /console',
      'GET /console/*',
      'GET /console/assets/*',
      'GET /docs/',
      'GET /docs/json',
      'GET /docs/static/*',
      'GET /docs/static/index.html',
      'GET /docs/static/swagger-initializer.js',
      'GET /docs/static/theme/icon.svg',
      'GET /docs/static/theme/page.css',
      'GET /docs/yaml',
    ]);
  });
});
