import { describe, expect, it } from 'vitest';
import { ownTenant, request } from './own-tenant.js';
import { browserForTests } from './visitor.js';

const browser = browserForTests();

describe('the audit log', () => {
  it('loads older entries on request', async () => {
    const tenant = await ownTenant();
    for (let n = 1; n <= 60; n += 1) {
      await request(tenant.key, 'POST', '/api/v2/blocked-ids', { pattern: `long-${n}` });
    }
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/settings/audit', tenant.key);
    const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await page.getByText('long-60 blocked').waitFor();
    expect(await changes.count()).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText(`Tenant ${tenant.name} created`).waitFor();
    expect(await changes.count()).toBe(62);
    await visitor.leave();
  });
});
