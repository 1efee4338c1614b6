import { describe, expect, it } from 'vitest';
import { ownTenant, request, send } from './own-tenant.js';
import { nightlyRun } from './undo-page.js';
import { browserForTests, WIDTHS } from './visitor.js';

const browser = browserForTests();

describe.each(WIDTHS)('archived accounts, %o', ({ onPhone }) => {
  it('are marked, filtered and counted, and come back when they are sent again', async () => {
    const tenant = await ownTenant();
    const id = await nightlyRun(tenant);
    await request(tenant.key, 'POST', `/api/v2/runs/${id}/undo`, {});
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('', tenant.key);
    await page.getByRole('img', { name: /3 archived/ }).waitFor();
    await visitor.inspect('overview-archived');
    await page.getByRole('link', { name: '3 archived' }).click();
    const names = page.getByRole('main').locator('[data-row]');
    await expect
      .poll(() => names.allInnerTexts())
      .toEqual(['Company gone', 'Company new-1', 'Company new-2']);
    expect(await page.getByText('Archived', { exact: true }).count()).toBe(3);
    await visitor.inspect('accounts-archived-only');
    await page.getByRole('button', { name: 'Remove filter Archived: only' }).click();
    await expect.poll(() => names.allInnerTexts()).toEqual(['Acme', 'beta']);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Filter by' }).fill('Archived');
    await page.getByRole('option', { name: 'Archived', exact: true }).click();
    await page.getByRole('button', { name: 'shown', exact: true }).click();
    await page.waitForURL('**/accounts?archived=include');
    await expect.poll(() => names.count()).toBe(5);
    await visitor.inspect('accounts-archived-shown');

    await page.getByRole('link', { name: 'Company new-1' }).click();
    await page.getByText(/^Archived since \d/).waitFor();
    await page.getByText('comes back as soon as a source sends it again').waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    const entries = page.getByRole('tabpanel').getByRole('listitem');
    await entries.filter({ hasText: 'Archived' }).waitFor();
    await visitor.inspect('account-archived');
    await send(tenant.key, { account_id: 'new-1', licenses: 6 });
    await page.reload();
    await entries.filter({ hasText: 'Restored' }).waitFor();
    expect(await page.getByText(/^Archived since/).count()).toBe(0);
    await visitor.inspect('account-restored');
    await visitor.leave();
  });
});
