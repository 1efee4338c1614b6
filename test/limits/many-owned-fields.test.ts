import { afterEach, beforeEach, expect, it } from 'vitest';
import { hashKey } from '../../dist/domain/api-key.js';
import { RunningServer } from '../http/running-server.js';

const CRM_KEY = 'key-of-crm'.padEnd(32, '-');

let server: RunningServer;
let tenantId: number;
beforeEach(async () => {
  server = await RunningServer.start();
  await server.addTenant('acme');
  const { directory } = server.store;
  tenantId = (await directory.findTenant({ name: 'acme' }))?.id ?? Number.NaN;
  await directory.sources.set(tenantId, 'billing', {});
  await directory.keys.add({
    id: 'crm',
    tenantId,
    hash: hashKey(CRM_KEY),
    scopes: ['sync'],
    label: 'crm',
    createdAt: 1,
    expiresAt: null,
  });
});
afterEach(() => server.stop());

async function own(names: readonly string[], others: 'reject' | 'keep'): Promise<void> {
  for (const name of names) {
    const definition = { name, type: 'text', choices: [], readOnly: false } as const;
    await server.store.directory.attributes.set(tenantId, {
      ...definition,
      owner: { source: 'billing', others },
    });
  }
}

it('a batch with more messages about owned fields than a response can list is rejected as a whole', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `custom_Owned_${i}`);
  await own(names, 'reject');
  const fields = Object.fromEntries(names.map((name) => [name, 'x']));
  const batch = Array.from({ length: 4_000 }, (_, i) => ({
    account_id: `${i}-`.padEnd(191, 'x'),
    ...fields,
  }));
  const { statusCode, body } = await server.post('/api/v1_1/accounts', CRM_KEY, batch);
  expect([statusCode, body.length]).toEqual([413, expect.any(Number)]);
  expect(body.length).toBeLessThan(1_000);
});

it('a response about many kept fields has a header that clients can read', async () => {
  // The longest names, with characters of which the header has six each.
  const names = Array.from({ length: 200 }, (_, i) => `custom_${i}_`.padEnd(107, 'ö'));
  await own(names, 'keep');
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const response = await fetch(`${url}/api/v1_1/account`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CRM_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ account_id: 'a', ...Object.fromEntries(names.map((name) => [name, 'x'])) }),
  });
  expect([response.status, await response.text()]).toEqual([200, '{"success":true}']);
  expect(response.headers.get('account-sync-kept')).toMatch(/^custom_0_(%C3%B6)+=1/);
});
