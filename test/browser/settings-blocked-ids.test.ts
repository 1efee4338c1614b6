import { describe, expect, it } from 'vitest';
import { ownTenant, request, send } from './own-tenant.js';
import { browserForTests, WIDTHS } from './visitor.js';

const browser = browserForTests();

describe.each(WIDTHS)('blocked ids, %o', ({ onPhone }) => {
  it('are added, tested while typing, removed, and blocked again', async () => {
    const { key } = await ownTenant();
    const blocked = async () => (await request(key, 'GET', '/api/v2/blocked-ids')).body.data;
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/settings/blocked-ids', key);
    const own = page.getByRole('region', { name: 'Your patterns' });
    const test = page.getByRole('region', { name: 'Test an id' });
    await own.getByText('No patterns yet.').waitFor();
    await visitor.inspect('settings-blocked-ids-none');

    await test.getByLabel('Account id').fill(' Shop.Test ');
    await test.getByText('This id would be accepted').waitFor();
    await test.getByText('shop.test', { exact: true }).waitFor();
    await own.getByLabel('Id or suffix').fill('*.TEST');
    await own.getByRole('button', { name: 'Block', exact: true }).click();
    await own.getByRole('status').getByText('is blocked from now on').waitFor();
    expect(await blocked()).toEqual(['*.test']);
    // The entered id is tested again with the new pattern.
    await test.getByText('This id would be rejected').waitFor();
    await test.getByText('account_id blocked by system.').waitFor();
    await test.getByText('one of your patterns').waitFor();
    await visitor.inspect('settings-blocked-ids');
    expect((await send(key, { account_id: 'shop.test' })).body.errors).toEqual([
      'account_id blocked by system.',
    ]);

    await own.getByRole('button', { name: 'Remove *.test' }).click();
    await own.getByRole('status').getByText('is no longer blocked').waitFor();
    await test.getByText('This id would be accepted').waitFor();
    expect(await blocked()).toEqual([]);
    await own.getByRole('button', { name: 'Undo' }).click();
    await own.getByRole('button', { name: 'Remove *.test' }).waitFor();
    expect(await blocked()).toEqual(['*.test']);
    await visitor.leave();
  });
});

describe('blocked ids', () => {
  it('show at the field why a pattern is invalid, and whether it already exists', async () => {
    const { key, name, command } = await ownTenant();
    await command('block', 'add', name, 'old');
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/settings/blocked-ids', key);
    const field = page.getByLabel('Id or suffix');
    await field.fill('foo*');
    await field.press('Enter');
    await page.getByText('Must be an exact id without *, or a suffix such as *.example.com.').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
    await visitor.inspect('settings-blocked-ids-wrong');
    await field.fill('OLD');
    await field.press('Enter');
    await page.getByText('was already blocked').waitFor();
    await visitor.leave();
  });

  it('show the system list, and test all other rules, too', async () => {
    const { key, name, command } = await ownTenant();
    await command('tenant', 'set', name, '--account-ids', 'domain');
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/settings/blocked-ids', key);
    await page.getByRole('button', { name: /^Show \d+ ids$/ }).click();
    await page.getByRole('list', { name: 'Blocked for every tenant' }).getByText('undefined').waitFor();
    const test = page.getByRole('region', { name: 'Test an id' });
    await test.getByLabel('Account id').fill('NULL');
    await test.getByText('which is on the system list').waitFor();
    await test.getByText('account_id must be a valid domain name.').waitFor();
    await visitor.inspect('settings-blocked-ids-system');
    await test.getByLabel('Account id').fill('bücher.de');
    await test.getByText('xn--bcher-kva.de').waitFor();
    await visitor.leave();
  });
});
