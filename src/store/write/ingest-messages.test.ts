import { expect, it } from 'vitest';
import { addBounded } from './ingest-messages.js';

it('keeps what is known about 1,000 tenants, then starts again with the last', () => {
  const byTenant = new Map<number, string>();
  for (let tenantId = 1; tenantId <= 1_000; tenantId += 1) addBounded(byTenant, tenantId, 'old');
  addBounded(byTenant, 1_000, 'new');
  expect([byTenant.size, byTenant.get(1_000)]).toEqual([1_000, 'new']);
  addBounded(byTenant, 1_001, 'new');
  expect([...byTenant]).toEqual([[1_001, 'new']]);
});
