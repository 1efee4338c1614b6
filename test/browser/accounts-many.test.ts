import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  account,
  act,
  barOf,
  chooseField,
  countOf,
  countsIn,
  dialogOf,
  openedBy,
  press,
  select,
  selectPage,
  storeAccounts,
  tenantWithAttributes,
} from './many-page.js';
import { request } from './own-tenant.js';
import { memberOf } from './people.js';
import { browserForTests, WIDTHS } from './visitor.js';

const browser = browserForTests();

describe.each(WIDTHS)('changing many accounts, %o', ({ onPhone }) => {
  it('sets a field: a preview, then the progress and the result, whose run can be undone', async () => {
    const tenant = await tenantWithAttributes();
    await storeAccounts(tenant, 3, { custom_Tier: 'silver' });
    await storeAccounts(tenant, 1, { custom_Tier: 'gold' });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signInAs(await memberOf(tenant, 'editor'), '/accounts');
    await select(visitor, 'Company 000', 'Company 002');
    await barOf(visitor).getByText('2 accounts selected').waitFor();
    await visitor.inspect('many-selected');
    await selectPage(visitor);
    await barOf(visitor).getByText('3 accounts selected').waitFor();
    await act(visitor, 'Set a field');
    await chooseField(visitor, 'custom_Tier');
    await dialogOf(visitor).getByLabel('Value', { exact: true }).selectOption('gold');
    await visitor.inspect('many-form');
    await press(visitor, 'Preview');
    await dialogOf(visitor).getByText('Nothing is stored yet.').waitFor();
    expect(await countsIn(visitor)).toBe('Will change 2 Stay as they are 1 Cannot be changed 0');
    await dialogOf(visitor).getByText('Company 001 · custom_Tier: silver to gold').waitFor();
    const opened = await openedBy(visitor, 'Company 001');
    await opened.getByRole('heading', { level: 1, name: 'Company 001' }).waitFor();
    await opened.close();
    await visitor.inspect('many-preview');
    expect(await account(tenant, 'a-1')).toMatchObject({ fields: { custom_Tier: 'silver' } });

    await press(visitor, 'Change 2 accounts');
    await dialogOf(visitor).getByText('2 accounts were changed, 1 stayed as before.').waitFor();
    expect(await page.locator(':focus').innerText()).toBe('Close');
    await visitor.inspect('many-result');
    expect(await account(tenant, 'a-1')).toMatchObject({ fields: { custom_Tier: 'gold' } });
    const run = await openedBy(visitor, /^run \d+$/);
    await run.getByRole('heading', { level: 1, name: /^Run \d+/ }).waitFor();
    await run.getByRole('main').getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await visitor.leave();
  });

  it('of all that match deletes them, for an administrator who confirms it', async () => {
    const tenant = await tenantWithAttributes();
    await storeAccounts(tenant, 120, { custom_Tier: 'gold' });
    await request(tenant.key, 'POST', '/api/v1_1/account', { account_id: 'kept', custom_Tier: 'silver' });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signInAs(await memberOf(tenant, 'admin'), '/accounts?attribute=custom_Tier%3Agold');
    await page.getByText('1–50 of 120').waitFor();
    await selectPage(visitor);
    await act(visitor, 'Select all 120 accounts that match');
    await barOf(visitor).getByText('120 accounts selected').waitFor();
    await act(visitor, 'Delete');
    await dialogOf(visitor).getByText('This cannot be undone').waitFor();
    const button = dialogOf(visitor).getByRole('button', { name: 'Delete 120 accounts' });
    expect(await button.isDisabled()).toBe(true);
    await page.keyboard.type('12');
    await page.keyboard.press('Enter');
    expect(await button.isDisabled()).toBe(true);
    await page.keyboard.type('0');
    await visitor.inspect('many-delete');
    await page.keyboard.press('Enter');
    await dialogOf(visitor).getByText('120 accounts were deleted.').waitFor();
    await visitor.inspect('many-deleted');
    await dialogOf(visitor).getByText('Close', { exact: true }).click();
    await dialogOf(visitor).waitFor({ state: 'detached' });
    await page.getByText('No matching accounts').waitFor();
    expect(await barOf(visitor).count()).toBe(0);
    expect(await countOf(tenant, 'archived=include')).toBe(1);
    await visitor.leave();
  });
});

describe('a selection of accounts', () => {
  it('survives the change of the page, and ends when the filters change', async () => {
    const tenant = await tenantWithAttributes();
    await storeAccounts(tenant, 60, { custom_Tier: 'gold' });
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts', tenant.key);
    await select(visitor, 'Company 003');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–60 of 60').waitFor();
    await selectPage(visitor);
    await barOf(visitor).getByText('11 accounts selected').waitFor();
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText('1–50 of 60').waitFor();
    const header = page.getByRole('checkbox', { name: 'Select the accounts on this page' });
    await header.and(page.locator(':indeterminate')).waitFor();
    await header.check();
    await barOf(visitor).getByText('60 accounts selected').waitFor();
    await page.getByRole('checkbox', { name: 'Select Company 000' }).uncheck();
    await barOf(visitor).getByText('59 accounts selected').waitFor();
    await page.getByLabel('Search by id or name').fill('Company 00');
    await barOf(visitor).waitFor({ state: 'detached' });
    await page.getByText('1–10 of 10').waitFor();
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await visitor.leave();
  });

  it('can be made, changed and left with the keyboard alone', async () => {
    const tenant = await tenantWithAttributes();
    await storeAccounts(tenant, 4);
    const visitor = await browser.visit();
    const { page } = visitor;
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = () => page.locator(':focus');
    await visitor.signIn('/accounts', tenant.key);
    await page.getByText('1–4 of 4').waitFor();
    await press('j', 'x', 'j', 'j', 'x');
    await barOf(visitor).getByText('2 accounts selected').waitFor();
    // From the name of the account to its checkbox.
    await press('Shift+Tab', 'Space');
    await barOf(visitor).getByText('1 account selected').waitFor();
    await press('Space', 'j');
    expect(await focused().innerText()).toBe('Company 003');
    await press('a');
    expect(await focused().innerText()).toBe('Set a field');
    await press('Enter');
    const field = dialogOf(visitor).getByRole('combobox', { name: 'Field' });
    await field.and(page.locator(':focus')).waitFor();
    // The first closes the list of fields.
    await press('Escape', 'Escape');
    await dialogOf(visitor).waitFor({ state: 'detached' });
    await expect.poll(() => focused().innerText()).toBe('Set a field');
    await press('Enter');
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('custom_Seats');
    await page.getByRole('option', { name: 'custom_Seats' }).waitFor();
    await page.getByRole('option', { name: 'custom_Tier' }).waitFor({ state: 'detached' });
    await press('ArrowDown', 'Enter', 'Tab', 'Tab');
    await page.keyboard.type('7');
    await press('Enter');
    await dialogOf(visitor).getByRole('button', { name: 'Change 2 accounts' }).waitFor();
    await press('Tab', 'Enter');
    await dialogOf(visitor).getByText('2 accounts were changed.').waitFor();
    await press('Enter');
    await dialogOf(visitor).waitFor({ state: 'detached' });
    await expect.poll(() => focused().getAttribute('aria-label')).toBe('Select the accounts on this page');
    expect(await barOf(visitor).count()).toBe(0);
    expect(await account(tenant, 'a-2')).toMatchObject({ fields: { custom_Seats: 7 } });
    await visitor.leave();
  });

  it('is exported in the shown columns, which is all that a viewer can do with it', async () => {
    const tenant = await tenantWithAttributes();
    await storeAccounts(tenant, 3);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signInAs(await memberOf(tenant, 'viewer'), '/accounts?column=account_id');
    await select(visitor, 'Company 000', 'Company 002');
    const buttons = await barOf(visitor).getByRole('button').allInnerTexts();
    expect(buttons).toEqual(['Export selected', 'Clear selection']);
    const saved = page.waitForEvent('download');
    await act(visitor, 'Export selected');
    const lines = (await readFile(await (await saved).path(), 'utf8')).split('\r\n');
    expect(lines.slice(1, -1).sort()).toEqual(['Company 000,a-0', 'Company 002,a-2']);
    await page.getByText('Saved a file with 2 accounts.').waitFor();
    await visitor.inspect('many-viewer');
    await act(visitor, 'Clear selection');
    await barOf(visitor).waitFor({ state: 'detached' });
    await visitor.leave();
  });
});

describe('a change of many accounts', () => {
  it('archives and restores them', async () => {
    const tenant = await tenantWithAttributes();
    await storeAccounts(tenant, 3);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signInAs(await memberOf(tenant, 'editor'), '/accounts');
    await select(visitor, 'Company 000', 'Company 001');
    const buttons = () => barOf(visitor).getByRole('button').allInnerTexts();
    expect(await buttons()).toEqual(['Set a field', 'Archive', 'Export selected', 'Clear selection']);
    await act(visitor, 'Archive');
    await visitor.inspect('many-archive');
    await press(visitor, 'Archive 2 accounts');
    await dialogOf(visitor).getByText('2 accounts were archived.').waitFor();
    await dialogOf(visitor).getByText('Close', { exact: true }).click();
    await page.getByText('1–1 of 1').waitFor();
    expect((await account(tenant, 'a-0')).archived_at).not.toBeNull();

    await visitor.open('/accounts?archived=include');
    await page.getByText('1–3 of 3').waitFor();
    await selectPage(visitor);
    expect((await buttons()).slice(0, 3)).toEqual(['Set a field', 'Archive', 'Restore']);
    await act(visitor, 'Restore');
    await dialogOf(visitor).getByRole('button', { name: 'Restore 2 accounts' }).waitFor();
    expect(await countsIn(visitor)).toBe('Will be restored 2 Stay as they are 1 Cannot be restored 0');
    await press(visitor, 'Restore 2 accounts');
    await dialogOf(visitor).getByText('2 accounts were restored, 1 stayed as before.').waitFor();
    expect((await account(tenant, 'a-0')).archived_at).toBeNull();
    await visitor.leave();
  });

  it('shows at its input what is wrong with the value, and clears a value', async () => {
    const tenant = await tenantWithAttributes();
    await storeAccounts(tenant, 2, { custom_Seats: 5 });
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signInAs(await memberOf(tenant, 'editor'), '/accounts');
    await selectPage(visitor);
    await act(visitor, 'Set a field');
    await dialogOf(visitor).getByRole('combobox', { name: 'Field' }).fill('custom_Score');
    await page.getByText('No matching field that can be changed').waitFor();
    await chooseField(visitor, 'custom_Seats');
    const value = dialogOf(visitor).getByLabel('Value', { exact: true });
    await press(visitor, 'Preview');
    await dialogOf(visitor).getByText('Enter a value completely, or choose Clear the value.').waitFor();
    await value.fill('many');
    await press(visitor, 'Preview');
    await dialogOf(visitor).getByText('Enter a whole number, such as 25.').waitFor();
    await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('custom_Seats');
    expect(visitor.takeProblems()).toHaveLength(1);
    await visitor.inspect('many-value-error');
    await dialogOf(visitor).getByLabel('Clear the value').check();
    await press(visitor, 'Preview');
    await dialogOf(visitor).getByText('Company 000 · custom_Seats: 5 to –').waitFor();
    await press(visitor, 'Back');
    const field = dialogOf(visitor).getByRole('combobox', { name: 'Field' });
    await field.and(page.locator(':focus')).waitFor();
    expect(await dialogOf(visitor).getByLabel('Clear the value').isChecked()).toBe(true);
    await press(visitor, 'Preview');
    await press(visitor, 'Change 2 accounts');
    await dialogOf(visitor).getByText('2 accounts were changed.').waitFor();
    expect((await account(tenant, 'a-0')).fields).not.toHaveProperty('custom_Seats');
    await visitor.leave();
  });

  it('lists accounts that cannot be changed, with the reason', async () => {
    const tenant = await tenantWithAttributes();
    await storeAccounts(tenant, 4);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signInAs(await memberOf(tenant, 'editor'), '/accounts');
    await page.getByText('1–4 of 4').waitFor();
    await selectPage(visitor);
    await request(tenant.key, 'DELETE', '/api/v2/accounts/a-3');
    await act(visitor, 'Set a field');
    await chooseField(visitor, 'Parent');
    await dialogOf(visitor).getByLabel('Value', { exact: true }).fill('a-0');
    await press(visitor, 'Preview');
    await dialogOf(visitor).getByRole('heading', { name: 'Why some cannot be changed' }).waitFor();
    expect(await countsIn(visitor)).toBe('Will change 2 Stay as they are 0 Cannot be changed 2');
    const reasons = dialogOf(visitor).getByRole('listitem');
    await reasons.filter({ hasText: 'The account does not exist any more. 1 account: a-3' }).waitFor();
    await reasons
      .filter({ hasText: "account_id and parent_account_id can't be same. 1 account: a-0" })
      .waitFor();
    await visitor.inspect('many-preview-rejected');
    await press(visitor, 'Change 2 accounts');
    await dialogOf(visitor).getByText('2 accounts were changed, 2 could not be changed.').waitFor();
    await dialogOf(visitor).getByText('a-3: The account does not exist any more.').waitFor();
    await visitor.inspect('many-result-rejected');
    await visitor.leave();
  });

  it('is not stopped by the back button, and the browser asks before it closes the page', async () => {
    const tenant = await tenantWithAttributes();
    await storeAccounts(tenant, 3);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signInAs(await memberOf(tenant, 'editor'), '/');
    await page.getByRole('link', { name: 'Accounts', exact: true }).first().click();
    await selectPage(visitor);
    await act(visitor, 'Archive');
    await dialogOf(visitor).getByRole('button', { name: 'Archive 3 accounts' }).waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/accounts/edit', (route) => released.then(() => route.continue()));
    await press(visitor, 'Archive 3 accounts');
    await dialogOf(visitor).getByText('Archiving accounts: 0 of 3').waitFor();
    await page.goBack();
    await dialogOf(visitor).getByText('Choose Stop before you leave this page.').waitFor();
    await visitor.inspect('many-leave');
    const asked = page.waitForEvent('dialog');
    const closing = page.close({ runBeforeUnload: true });
    await (await asked).dismiss();
    await closing;
    release();
    await dialogOf(visitor).getByText('3 accounts were archived.').waitFor();
    await page.keyboard.press('Escape');
    await dialogOf(visitor).waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await visitor.leave();
  });

  it('stops when its dialog is closed, and can be continued', async () => {
    const tenant = await tenantWithAttributes();
    await storeAccounts(tenant, 3);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signInAs(await memberOf(tenant, 'editor'), '/accounts');
    await selectPage(visitor);
    await act(visitor, 'Archive');
    await dialogOf(visitor).getByRole('button', { name: 'Archive 3 accounts' }).waitFor();
    await page.route('**/accounts/edit', () => undefined);
    await press(visitor, 'Archive 3 accounts');
    await dialogOf(visitor).getByText('Archiving accounts: 0 of 3').waitFor();
    await visitor.inspect('many-progress');
    await page.keyboard.press('Escape');
    await dialogOf(visitor).getByText('You have stopped it.').waitFor();
    await visitor.inspect('many-stopped');
    await page.unroute('**/accounts/edit');
    await press(visitor, 'Continue');
    await dialogOf(visitor).getByText('3 accounts were archived.').waitFor();
    visitor.takeProblems();
    await visitor.leave();
  });
});
