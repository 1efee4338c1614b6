import type { Locator } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { runStatements } from '../support/released-database.js';
import { keyFor, type OwnTenant, ownTenant, request, send } from './own-tenant.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

const DAILY = { label: 'Salesforce', expect_every_seconds: 86_400, grace_seconds: 7_200 };

const put = ({ key }: OwnTenant, name: string, body: unknown) =>
  request(key, 'PUT', `/api/v2/sources/${name}`, body);

const sourceOf = ({ page }: Visitor, label: string, onPhone = false) =>
  page.getByRole(onPhone ? 'listitem' : 'row').filter({ hasText: label });

const textOf = async (found: Locator | undefined) => (await found?.innerText())?.replace(/\s+/g, ' ');

/** Moves the time since when a source is expected: no source is late within the time of a test. */
const expectSince = ({ name }: OwnTenant, at: number) =>
  runStatements(
    { url: '', settings: inject('consoleSettings') },
    `update source set expected_since = ${at}
     where name = 'crm' and tenant_id = (select id from tenant where name = '${name}')`,
  );

describe.each(WIDTHS)('sources, %o', ({ onPhone }) => {
  it('are listed with their freshness and their recent runs, which are links', async () => {
    const tenant = await ownTenant();
    await put(tenant, 'billing', { ...DAILY, label: 'Billing' });
    await put(tenant, 'crm', DAILY);
    await expectSince(tenant, Date.now() - 26.5 * 3_600_000);
    await send(tenant.key, { account_id: 'acme', licenses: 1 });
    const opened = await request(tenant.key, 'POST', '/api/v2/runs');
    const { id } = opened.body;
    await request(tenant.key, 'POST', '/api/v1_1/accounts', [{ account_id: 'a' }, { account_id: 'b' }], {
      'account-sync-run': id,
    });
    await request(tenant.key, 'POST', `/api/v2/runs/${id}/finish`, {});

    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('', tenant.key);
    const alert = page.getByRole('status').filter({ hasText: 'A source is late' });
    await alert.getByText('Salesforce should have finished a run by now.').waitFor();
    await visitor.inspect('overview-late-source');
    await alert.getByRole('link', { name: 'See Sources' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();

    const [crm, billing, first] = ['Salesforce', 'Billing', 'first'].map((label) =>
      sourceOf(visitor, label, onPhone),
    );
    await crm?.getByText('since 30 minutes ago').waitFor();
    expect(await textOf(crm)).toMatch(/Late.*Never.*2 hours ago.*every 1 day, 2 hours grace/);
    expect(await textOf(billing)).toMatch(/On time.*in 23 hours.*No run so far/);
    expect(await textOf(first)).toContain('Not expected regularly');
    await visitor.inspect('sources');

    await first?.getByRole('link', { name: 'just now' }).click();
    await page.getByRole('heading', { level: 1, name: `Run ${id} of first` }).waitFor();
    await page.goBack();
    const runs = first?.getByRole('link', {
      name: 'Runs of first. 2 recent runs. The newest changed 2 records',
    });
    await runs?.click();
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    expect(await page.getByLabel('Source').inputValue()).toBe('first');
    await visitor.leave();
  });

  it('are created, edited and removed, with errors at the form and entries in the audit log', async () => {
    const tenant = await ownTenant();
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/sources', tenant.key);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New source' }).click();
    const name = dialog.getByLabel('Name');
    const every = dialog.getByRole('textbox', { name: 'A run finishes every' });
    await expect.poll(() => name.evaluate((input) => input.matches(':focus'))).toBe(true);
    await name.fill('first');
    await dialog.getByText('first exists already. Edit that source instead.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Create source' }).isDisabled()).toBe(true);
    await name.fill('My CRM');
    await name.press('Enter');
    await dialog.getByText('Must have lower-case letters, digits and hyphens').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
    await name.fill('crm');
    await dialog.getByLabel('Label').fill('Salesforce');
    await dialog.getByRole('switch', { name: 'Expected regularly' }).press('Space');
    await every.fill('0');
    await dialog.getByLabel('Label').press('Enter');
    await dialog.getByText('Enter at least 1 minute and at most 366 days.').waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
    await every.fill('12');
    await dialog.getByLabel('Unit of “A run finishes every”').selectOption('hours');
    await visitor.inspect('sources-new');
    await dialog.getByLabel('Label').press('Enter');
    await page.getByRole('status').getByText('Salesforce was created.').waitFor();
    const crm = sourceOf(visitor, 'Salesforce', onPhone);
    await crm.getByText('every 12 hours, 2 hours grace').waitFor();
    await crm.getByText('On time').waitFor();

    await page.getByRole('button', { name: 'Edit Salesforce' }).click();
    expect(await every.inputValue()).toBe('12');
    await dialog.getByLabel('Label').fill('');
    await dialog.getByRole('switch', { name: 'Expected regularly' }).press('Space');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/^Must NOT have fewer than 1 characters/).waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
    await dialog.getByLabel('Label').fill('CRM');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('CRM was changed.').waitFor();
    await sourceOf(visitor, 'CRM', onPhone).getByText('Not expected regularly').waitFor();

    await page.getByRole('button', { name: 'Remove first' }).click();
    await dialog.getByRole('button', { name: 'Remove source' }).click();
    await dialog.getByRole('alert').getByText(tenant.keyId).waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('409')]);
    await visitor.inspect('sources-remove');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove CRM' }).click();
    await dialog.getByRole('button', { name: 'Remove source' }).click();
    await page.getByRole('status').getByText('CRM was removed.').waitFor();

    await visitor.open('/settings/audit');
    await page.getByText('Source crm removed (was CRM; not expected regularly)').waitFor();
    await page.getByText('label from Salesforce to CRM; expected interval from 12 hours to none').waitFor();
    await page
      .getByText('Source crm created as Salesforce; expected every 12 hours, 2 hours grace')
      .waitFor();
    await visitor.leave();
  });
});

describe('sources', () => {
  it('cannot be changed by a key with the scope read only', async () => {
    const tenant = await ownTenant();
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/sources', await keyFor(tenant.key, 'read'));
    await sourceOf(visitor, 'first').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await visitor.inspect('sources-read-only');
    await visitor.leave();
  });

  it('are explained if there are none', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    // Every key that the service creates has a source, so a tenant without one exists only after an upgrade.
    await page.route('**/api/v2/sources', (route) => route.fulfill({ json: { data: [] } }));
    await visitor.signIn('/sources');
    await page.getByRole('heading', { name: 'No sources yet' }).waitFor();
    await visitor.inspect('sources-none');
    await visitor.leave();
  });
});

describe.each(WIDTHS)('the source of a key, %o', ({ onPhone }) => {
  it('is chosen when the key is created, and changed later', async () => {
    const tenant = await ownTenant();
    await put(tenant, 'crm', DAILY);
    await put(tenant, 'billing', { label: 'Billing' });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/settings/keys', tenant.key);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByLabel('Label').fill('nightly');
    await dialog.getByLabel('Source').selectOption('Salesforce');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText(/, source crm\. Never expires\.$/).waitFor();
    await dialog.getByRole('button', { name: 'I have stored the key' }).click();
    const row = page.getByRole(onPhone ? 'listitem' : 'row').filter({ hasText: 'nightly' });
    await row.getByText('Salesforce').waitFor();

    await row.getByRole('button', { name: 'Move nightly to another source' }).click();
    expect(await dialog.getByLabel('Source').inputValue()).toBe('crm');
    expect(await dialog.getByRole('button', { name: 'Move key' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Source').selectOption('Billing');
    await visitor.inspect('settings-keys-move');
    await dialog.getByRole('button', { name: 'Move key' }).click();
    await page.getByRole('status').getByText('now belongs to the source Billing.').waitFor();
    await row.getByText('Billing').waitFor();
    await visitor.inspect('settings-keys-sources');
    await visitor.open('/settings/audit');
    await page.getByText('moved from source crm to billing').waitFor();
    await visitor.leave();
  });
});
