import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueKey } from '../../dist/store/tenants/keys.js';
import { RunningServer } from './running-server.js';

const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

describe('the errors in the documentation are those of the service', () => {
  let server: RunningServer;
  let headers: Record<string, string>;
  beforeAll(async () => {
    server = await RunningServer.start();
    await server.addTenant('acme');
    const { id: tenantId = 0 } = (await server.store.directory.findTenant({ name: 'acme' })) ?? {};
    const options = { tenantId, scopes: ['sync', 'read'], label: '', expiresAt: null } as const;
    const { key } = await issueKey((made) => server.store.directory.keys.add(made), options);
    headers = { authorization: `Bearer ${key}` };
  });
  afterAll(() => server.stop());

  /** Each record or batch of interface.md, with the response that the page shows for it. */
  const rejected = [...page('interface.md').matchAll(/```\n([[{].*)\n\n(\{"success":false.*)\n```/g)].map(
    ([, body = '', answer = '']) => ({ body, answer, url: `/api/v1_1/account${body[0] === '[' ? 's' : ''}` }),
  );

  it('shows a record and a batch', () => {
    expect(rejected.map(({ url }) => url)).toEqual(['/api/v1_1/account', '/api/v1_1/accounts']);
  });

  it.each(rejected)('interface.md, $url', async ({ body, answer, url }) => {
    const json = { ...headers, 'content-type': 'application/json' };
    const { statusCode, body: got } = await server.app.inject({ method: 'POST', url, headers: json, body });
    expect([statusCode, got]).toEqual([400, answer]);
  });

  it('api.md, problem details', async () => {
    const shown = JSON.parse(/```json\n(\{"type":"urn:problem:.*?)```/s.exec(page('api.md'))?.[1] ?? '');
    const got = await server.app.inject({
      url: '/api/v2/accounts?limit=5000&sort=age',
      headers: { ...headers, 'x-request-id': shown.request_id },
    });
    expect([got.statusCode, got.json()]).toEqual([400, shown]);
  });

  it('import-api.md, records that fail', async () => {
    const [, body = '', lines] =
      /```\n(\{"account_id":"Acme".*?)```.*?```\n(\{"index":0.*?)```/s.exec(page('import-api.md')) ?? [];
    const ndjson = { ...headers, 'content-type': 'application/x-ndjson' };
    const url = '/api/v2/accounts/import';
    const got = await server.app.inject({ method: 'POST', url, headers: ndjson, body });
    expect(got.body).toBe(lines);
  });
});
