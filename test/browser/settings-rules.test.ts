import { describe, expect, inject, it } from 'vitest';
import { ownTenant, request, send } from './own-tenant.js';
import { browserForTests, WIDTHS } from './visitor.js';

const browser = browserForTests();

const settingsOf = async (key: string) => (await request(key, 'GET', '/api/v2/settings')).body;

describe.each(WIDTHS)('the rules, %o', ({ onPhone }) => {
  it('switch to domain names after showing which stored ids are not, and back', async () => {
    const { key } = await ownTenant();
    for (const account_id of ['acme', 'beta', 'example.com']) await send(key, { account_id });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/settings', key);
    const rule = page.getByRole('region', { name: 'Account ids' });
    await rule.getByRole('radio', { name: 'Domain names only' }).check();
    await rule.getByText('2 of 3 stored ids are not domain names').waitFor();
    await rule.getByRole('link', { name: 'beta' }).waitFor();
    await visitor.inspect('settings-rules-domain');
    // Nothing is saved before the confirmation.
    await rule.getByRole('button', { name: 'Cancel' }).click();
    expect(await rule.getByRole('radio', { name: 'Any id' }).isChecked()).toBe(true);
    expect(await settingsOf(key)).toMatchObject({ account_ids: 'any' });

    await rule.getByRole('radio', { name: 'Domain names only' }).check();
    await rule.getByRole('button', { name: 'Switch to domain names' }).click();
    await rule.getByRole('status').getByText('Only domain names are accepted from now on').waitFor();
    await visitor.inspect('settings-rules-saved');
    expect(await settingsOf(key)).toMatchObject({ account_ids: 'domain' });
    expect((await send(key, { account_id: 'gamma' })).body.errors).toEqual([
      'account_id must be a valid domain name.',
    ]);
    expect((await request(key, 'GET', '/api/v2/accounts/acme')).status).toBe(200);

    await rule.getByRole('radio', { name: 'Any id' }).check();
    await rule.getByRole('button', { name: 'Accept any id' }).click();
    await rule.getByRole('status').getByText('Any id is accepted').waitFor();
    expect((await send(key, { account_id: 'gamma' })).status).toBe(200);
    await visitor.leave();
  });
});

describe.each(WIDTHS)('the retention rules, %o', ({ onPhone }) => {
  it('shorten the history only after a confirmation, and remove the limit again', async () => {
    const { key } = await ownTenant();
    const visitor = await browser.visit({ onPhone });
    await visitor.signIn('/settings', key);
    const rule = visitor.page.getByRole('region', { name: 'History' });
    const days = rule.getByRole('textbox', { name: 'Days' });
    await rule.getByRole('radio', { name: 'Limited number of days' }).check();
    expect(await days.inputValue()).toBe('365');
    for (const wrong of ['', '0', '36501', '1.5']) {
      await days.fill(wrong);
      await rule.getByText('Enter a whole number from 1 to 36500.').waitFor();
      expect(await rule.getByRole('button').count()).toBe(0);
    }
    await days.fill('30');
    await rule.getByText('Changes older than 30 days will be removed permanently.').waitFor();
    await visitor.inspect('settings-history-shorter');
    await rule.getByRole('button', { name: 'Cancel' }).click();
    expect(await rule.getByRole('radio', { name: 'No limit' }).isChecked()).toBe(true);
    expect(await settingsOf(key)).toMatchObject({ history_days: null });

    await rule.getByRole('radio', { name: 'Limited number of days' }).check();
    await days.fill('30');
    await rule.getByRole('button', { name: 'Remove older changes' }).click();
    await rule.getByRole('status').getByText('Changes are kept for 30 days').waitFor();
    expect(await settingsOf(key)).toMatchObject({ history_days: 30 });
    await days.fill('31');
    await rule.getByText('Changes that were already removed are not restored.').waitFor();
    await rule.getByRole('radio', { name: 'No limit' }).check();
    await rule.getByRole('button', { name: 'Keep changes for longer' }).click();
    await rule.getByRole('status').getByText('Changes are kept without a time limit').waitFor();
    expect(await settingsOf(key)).toMatchObject({ history_days: null });
    await visitor.leave();
  });

  it('keep rejections for another number of days than the server default', async () => {
    const { key } = await ownTenant();
    const visitor = await browser.visit({ onPhone });
    await visitor.signIn('/settings', key);
    const rule = visitor.page.getByRole('region', { name: 'Rejections' });
    await rule.getByRole('radio', { name: 'Limited number of days' }).check();
    await rule.getByRole('textbox', { name: 'Days' }).fill('90');
    await rule.getByRole('button', { name: 'Save' }).click();
    await rule.getByRole('status').getByText('Rejections are kept for 90 days').waitFor();
    expect(await settingsOf(key)).toMatchObject({ rejection_days: 90 });
    await visitor.open('/settings/audit');
    await visitor.page.getByText('days of rejections from server default to 90').waitFor();
    await visitor.leave();
  });
});

describe('the rules', () => {
  it('reject undeclared fields, after showing which are in use', async () => {
    const { key, name, command } = await ownTenant();
    await send(key, { account_id: 'acme', region: 'north', licences: 3 });
    await command('tenant', 'set', name, '--host', `${name}.example`);
    const counted = async () => (await request(key, 'GET', '/api/v2/attributes')).body.undeclared.length;
    await expect.poll(counted).toBe(2);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/settings', key);
    const rule = page.getByRole('region', { name: 'Undeclared fields' });
    await rule.getByText('2 undeclared fields are in use:').waitFor();
    await rule.getByText('region (1 account)').waitFor();
    await rule.getByRole('radio', { name: 'Reject the record' }).check();
    await rule.getByRole('button', { name: 'Reject undeclared fields' }).click();
    await rule
      .getByRole('status')
      .getByText('Records with undeclared fields are rejected from now on')
      .waitFor();
    expect((await send(key, { account_id: 'acme', licences: 4 })).body.errors).toEqual([
      'Account acme, licences is not a known field. Did you mean licenses?',
    ]);
    const hosts = page.getByRole('region', { name: 'Host names' });
    await hosts.getByText(`${name}.example`, { exact: true }).waitFor();
    await hosts.getByText(`account-sync tenant set ${name} --host`).waitFor();
    await visitor.leave();
  });

  it('show that no account is affected if none is stored', async () => {
    const { key } = await ownTenant();
    const visitor = await browser.visit();
    await visitor.signIn('/settings', key);
    await visitor.page.getByRole('radio', { name: 'Domain names only' }).check();
    await visitor.page.getByText('No accounts are stored yet').waitFor();
    await visitor.page.getByText('No undeclared fields are in use.').waitFor();
    await visitor.leave();
  });

  it('are not available to a key with the scope read only', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('', inject('consoleKeys').read);
    await page.getByRole('link', { name: 'Accounts' }).waitFor();
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    for (const path of ['/settings', '/settings/keys']) {
      await visitor.open(path);
      await page.getByText('This page does not exist').waitFor();
    }
    visitor.expectNoProblem();
    const statuses = await page.evaluate(async () => {
      const statusOf = async (path: string, method = 'GET') => {
        const headers = { 'X-Account-Sync-Console': '1' };
        return (await fetch(`/api/v2${path}`, { method, headers })).status;
      };
      return [
        await statusOf('/session'),
        await statusOf('/settings'),
        await statusOf('/keys'),
        await statusOf('/keys', 'POST'),
      ];
    });
    expect(statuses).toEqual([200, 403, 403, 403]);
    visitor.takeProblems();
    await visitor.leave();
  });

  it('have a URL for each section, and show an unknown one as missing', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/settings/audit');
    await page.getByRole('tab', { name: 'Audit', selected: true }).waitFor();
    await page.getByRole('tab', { name: 'Blocked ids' }).click();
    expect(new URL(page.url()).pathname).toBe('/console/settings/blocked-ids');
    await page.goBack();
    await page.getByRole('tab', { name: 'Audit', selected: true }).waitFor();
    await page.getByRole('tab', { name: 'Rules' }).click();
    expect(new URL(page.url()).pathname).toBe('/console/settings');
    await visitor.inspect('settings-rules-demo');
    await visitor.open('/settings/other');
    await page.getByText('This page does not exist').waitFor();
    await visitor.leave();
  });
});
