import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectRoutes } from './collect-routes.js';
import { OpenapiDocument } from './openapi-document.js';
import { RunningServer } from './running-server.js';

let server: RunningServer;
let document: OpenapiDocument;
/** Operations that are pages and their files, which are not described. */
const PAGES = ['docs', 'console'];
let routes: readonly RouteOptions[];

beforeAll(async () => {
  const [started, all] = await collectRoutes(() => RunningServer.start());
  server = started;
  routes = all.filter(({ method, config }) => method !== 'HEAD' && !PAGES.includes(config?.operation ?? ''));
  document = await OpenapiDocument.of(server.app);
});
afterAll(() => server.stop());

/** Without input, these operations have no 4xx response. */
const WITHOUT_4XX = ['healthz', 'readyz', 'metrics', 'get-openapi', 'get-sign-in-methods', 'finish-oidc'];
/** These lead browsers to other pages, whatever the outcome is. */
const WITHOUT_2XX = ['start-oidc', 'finish-oidc'];

describe('the document', () => {
  it('has every route of the server, and no other', () => {
    const described = document.operations.map(({ method, path }) => `${method} ${path}`);
    const served = routes.map(({ method, url }) => `${method} ${url.replace(/:([^/]+)/g, '{$1}')}`);
    expect(described.sort()).toEqual(served.sort());
  });

  it('names each operation as the log does', () => {
    const names = document.operations.map(({ name }) => name);
    expect(names.sort()).toEqual(routes.map(({ config }) => config?.operation).sort());
  });

  it('passes a linter', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(document.json);
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    const responsesOf = (names: readonly string[]) =>
      document.operations
        .filter(({ name }) => names.includes(name))
        .map(({ path }) => `#/paths/${path.replaceAll('/', '~1')}/get/responses`);
    const excused: Record<string, readonly string[]> = {
      'operation-4xx-response': responsesOf(WITHOUT_4XX),
      'operation-2xx-response': responsesOf(WITHOUT_2XX),
    };
    const found = problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]);
    expect(found.filter(([rule = '', , at = '']) => !excused[rule]?.includes(at))).toEqual([]);
  });

  it('describes every parameter and every response', () => {
    for (const { name, operation } of document.operations) {
      for (const parameter of operation.parameters ?? []) {
        expect(parameter.description, `${name} ${parameter.name}`).toMatch(/\S/);
      }
      for (const answer of Object.values(operation.responses)) expect(answer.description, name).toMatch(/\S/);
    }
  });

  it('has an example of every body, and each fits its schema', () => {
    for (const described of document.operations) {
      const { name, operation } = described;
      const bodies = [
        ...Object.entries(operation.responses).map(([status, { content }]) => [status, content] as const),
        [undefined, operation.requestBody?.content] as const,
      ];
      for (const [status, content = {}] of bodies) {
        for (const [type, { examples = {} }] of Object.entries(content)) {
          if (name !== 'get-openapi')
            expect(Object.keys(examples), `${name} ${status} ${type}`).not.toEqual([]);
          for (const example of Object.values(examples)) {
            const value = document.valueOf(example);
            expect(document.bodyProblems(described, status, type, value), `${name} ${status}`).toEqual([]);
          }
        }
      }
    }
  });
});

describe('the page', () => {
  it('loads nothing from other origins, and its policy forbids it', async () => {
    const page = await server.app.inject('/docs');
    const links = [...page.body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) {
      expect(link).toMatch(/^\/docs\/static\//);
      expect((await server.app.inject(link)).statusCode).toBe(200);
    }
    expect(page.body).toContain('<title>account-sync</title>');
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
        "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  it('shows the same document, and stores no key', async () => {
    expect((await server.app.inject('/docs/json')).json()).toEqual(document.json);
    const script = (await server.app.inject('/docs/static/swagger-initializer.js')).body;
    expect(script).not.toContain('persistAuthorization');
  });

  it('rejects other methods', async () => {
    const rejected = await Promise.all(
      ['/docs', '/docs/static/swagger-ui.css', '/openapi.json', '/openapiXjson'].map((url) =>
        server.app.inject({ method: 'POST', url }),
      ),
    );
    expect(rejected.map(({ statusCode }) => statusCode)).toEqual([405, 405, 405, 404]);
  });

  it('is logged at level debug', async () => {
    const before = server.log.length;
    for (const url of ['/docs', '/docs/static/swagger-ui.css', '/openapi.json']) await server.app.inject(url);
    expect(server.log.slice(before).map(({ level, operation }) => [level, operation])).toEqual([
      [20, 'docs'],
      [20, 'docs'],
      [20, 'get-openapi'],
    ]);
  });
});

describe("on a tenant's host, with CORS", () => {
  it('document and page need no key', async () => {
    const other = await RunningServer.start({ config: { corsOrigins: ['https://app.example.com'] } });
    try {
      await other.addTenant('acme', { hosts: ['acme.example.com'] });
      const headers = { host: 'acme.example.com', origin: 'https://app.example.com' };
      for (const url of ['/openapi.json', '/docs']) {
        const answer = await other.app.inject({ url, headers });
        expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([
          200,
          headers.origin,
        ]);
      }
      expect(await OpenapiDocument.of(other.app)).toMatchObject({ json: document.json });
    } finally {
      await other.stop();
    }
  });
});
