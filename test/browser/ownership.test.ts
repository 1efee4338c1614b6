import { describe, expect, it } from 'vitest';
import { type OwnTenant, ownTenant, request, send } from './own-tenant.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

interface TwoSources extends OwnTenant {
  /** A key of the source billing. The tenant's own key belongs to the source first, labelled Salesforce. */
  readonly billing: string;
}

async function twoSources(): Promise<TwoSources> {
  const tenant = await ownTenant();
  const { key } = tenant;
  await request(key, 'PUT', '/api/v2/sources/first', { label: 'Salesforce' });
  await request(key, 'PUT', '/api/v2/sources/billing', { label: 'Billing' });
  const body = { label: 'billing', source: 'billing', scopes: ['sync', 'read'] };
  return { ...tenant, billing: (await request(key, 'POST', '/api/v2/keys', body)).body.key };
}

const declare = async ({ key }: OwnTenant, name: string, body: Readonly<Record<string, unknown>>) =>
  expect((await request(key, 'PUT', `/api/v2/attributes/${name}`, body)).status).toBe(201);

const ownerOf = async ({ key }: OwnTenant, name: string) =>
  (await request(key, 'GET', `/api/v2/attributes/${name}`)).body.owner;

/** A tenant in which billing owns the name of acme, and other sources keep it. */
async function ownedName(): Promise<TwoSources> {
  const tenant = await twoSources();
  await declare(tenant, 'name', { type: 'text', owner: { source: 'billing', others: 'keep' } });
  await send(tenant.billing, { account_id: 'acme', name: 'Acme Inc.', licenses: 1 });
  // A changed owner applies within a second.
  const storedName = async () => {
    await send(tenant.key, { account_id: 'probe', name: 'Not stored' });
    const { name } = (await request(tenant.key, 'GET', '/api/v2/accounts/probe')).body;
    await request(tenant.key, 'DELETE', '/api/v2/accounts/probe');
    return name;
  };
  await expect.poll(storedName).toBeNull();
  return tenant;
}

const dialogOf = ({ page }: Visitor) => page.getByRole('dialog');
const nameOf = ({ page }: Visitor, name: string) => page.getByRole('button', { name, exact: true });
const rowOf = (visitor: Visitor, name: string) =>
  visitor.page.getByRole('row').filter({ has: nameOf(visitor, name) });

/** By how many pixels the page is wider than the screen. Negative if a scroll bar has its place. */
const overflowOf = ({ page }: Visitor) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

async function inspect(visitor: Visitor, name: string): Promise<void> {
  await visitor.inspect(name);
  expect(await overflowOf(visitor)).toBeLessThanOrEqual(0);
}

describe.each(WIDTHS)('the owner of an attribute, %o', ({ onPhone }) => {
  it('is chosen with what happens to values of others, and removed again', async () => {
    const tenant = await twoSources();
    await declare(tenant, 'custom_Mrr', { type: 'decimal' });
    await send(tenant.key, { account_id: 'acme', custom_Mrr: 25 });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/attributes', tenant.key);
    await nameOf(visitor, 'custom_Mrr').press('Enter');
    await page.getByText('Every source can change the values.').waitFor();
    await page.getByRole('button', { name: 'Edit' }).press('Enter');
    const owner = dialogOf(visitor).getByLabel('Owner');
    expect(await owner.inputValue()).toBe('');
    expect(await dialogOf(visitor).getByRole('radio').count()).toBe(0);
    await owner.press('ArrowDown');
    expect(await owner.inputValue()).toBe('billing');
    await dialogOf(visitor).getByRole('radio', { name: 'Reject the record' }).press('ArrowDown');
    expect(await dialogOf(visitor).getByRole('radio', { name: 'Keep the stored value' }).isChecked()).toBe(
      true,
    );
    await inspect(visitor, 'ownership-choice');
    await dialogOf(visitor).getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('custom_Mrr was changed.').waitFor();
    expect(await ownerOf(tenant, 'custom_Mrr')).toEqual({ source: 'billing', others: 'keep' });
    await page.getByText('Billing. Different values of other sources are not stored.').waitFor();
    await expect
      .poll(() => rowOf(visitor, 'custom_Mrr').innerText())
      .toContain('owned by Billing, others: kept');
    await inspect(visitor, 'ownership-owned');

    await page.getByRole('button', { name: 'Edit' }).press('Enter');
    await owner.selectOption('Every source');
    await dialogOf(visitor).getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('Every source can change the values.').waitFor();
    expect(await ownerOf(tenant, 'custom_Mrr')).toBeNull();
    await visitor.open('/settings/audit');
    await page.getByText('owner from every source to billing (others: kept)').waitFor();
    await page.getByText('owner from billing (others: kept) to every source').waitFor();
    await inspect(visitor, 'ownership-audit');
    await visitor.leave();
  });

  it('can be set for built-in attributes, the name and the parent', async () => {
    const tenant = await twoSources();
    const acme = { account_id: 'acme', parent_account_id: 'acme-group', name: 'Acme Inc.' };
    await send(tenant.key, acme);
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/attributes', tenant.key);
    const labels = { licenses: 'licenses', name: 'Name', parent_account_id: 'Parent' };
    for (const [name, label] of Object.entries(labels)) {
      await nameOf(visitor, name).press('Enter');
      await page.getByRole('button', { name: 'Edit' }).press('Enter');
      await dialogOf(visitor).getByLabel('Owner').selectOption('Billing');
      const isBuiltIn = name === 'licenses';
      expect(await dialogOf(visitor).getByLabel('Indexed').count()).toBe(isBuiltIn ? 1 : 0);
      if (name === 'name') await inspect(visitor, 'ownership-name-choice');
      await dialogOf(visitor).getByRole('button', { name: 'Save' }).press('Enter');
      await page.getByText(`${label} was changed.`).waitFor();
      await page
        .getByText('Billing. Records of other sources with a different value are rejected.')
        .waitFor();
      expect(await ownerOf(tenant, name)).toEqual({ source: 'billing', others: 'reject' });
      await expect.poll(() => rowOf(visitor, name).innerText()).toContain('owned by Billing');
      if (name === 'name') await inspect(visitor, 'ownership-name');
    }
    await visitor.open('/attributes');
    await rowOf(visitor, 'parent_account_id').waitFor();
    await inspect(visitor, 'ownership-list');

    // They stay fields of their own on other pages.
    await visitor.open('/accounts');
    await page.getByText('acme-group').first().waitFor();
    if (!onPhone) {
      const heads = await page.getByRole('columnheader').allInnerTexts();
      expect(heads.map((text) => text.trim())).toContain('Parent');
      expect(heads.filter((text) => text.includes('parent_account_id'))).toEqual([]);
    }
    await visitor.open('/accounts/acme');
    await page.getByText('Declared attributes without a value: ').waitFor();
    const text = await page.getByText('Declared attributes without a value: ').innerText();
    expect(text).toContain('licenses');
    expect(text).not.toContain('name');
    await visitor.leave();
  });
});

describe.each(WIDTHS)('a run, %o', ({ onPhone }) => {
  it('shows its mode, skipped records and kept values', async () => {
    const tenant = await ownedName();
    const { key } = tenant;
    const { id } = (await request(key, 'POST', '/api/v2/runs', { mode: 'update-only' })).body;
    const records = [
      { account_id: 'acme', name: 'ACME', licenses: 25 },
      { account_id: 'new-1', licenses: 5 },
      { account_id: 'new-2', licenses: 6 },
    ];
    await request(key, 'POST', '/api/v1_1/accounts', records, { 'account-sync-run': id });
    await request(key, 'POST', `/api/v2/runs/${id}/finish`, {});
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/runs', key);
    await page.getByText('2 skipped · 1 kept').waitFor();
    await inspect(visitor, 'ownership-runs');
    await visitor.open(`/runs/${id}`);
    await page.getByText('Update-only: creates no accounts').waitFor();
    const figures = page.locator('dl').first();
    await expect
      .poll(async () => (await figures.innerText()).replace(/\s+/g, ' '))
      .toContain('Skipped 2 do not fit the mode Kept 1 values that others own');
    await inspect(visitor, 'ownership-run');
    await visitor.leave();
  });

  it('that may only create accounts says so, and has no figures that are 0', async () => {
    const { key } = await ownTenant();
    const { id } = (await request(key, 'POST', '/api/v2/runs', { mode: 'create-only' })).body;
    await request(key, 'POST', '/api/v1_1/account', { account_id: 'a' }, { 'account-sync-run': id });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn(`/runs/${id}`, key);
    await page.getByText('Create-only: changes no existing accounts').waitFor();
    const labels = await page.locator('dl dt').allInnerTexts();
    expect(labels).toEqual(['Requests', 'Created', 'Updated', 'Unchanged', 'Rejected']);
    await visitor.leave();
  });
});

describe.each(WIDTHS)('Try it, %o', ({ onPhone }) => {
  it('shows which fields keep their values', async () => {
    const { key } = await ownedName();
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/try', key);
    const records = [
      { account_id: 'acme', name: 'ACME', licenses: 25 },
      { account_id: 'acme', name: 'ACME' },
    ];
    await page.getByRole('textbox', { name: 'Records' }).fill(JSON.stringify(records, null, 2));
    await page.getByRole('button', { name: 'Validate' }).press('Enter');
    await page
      .getByText(
        '1 would be updated, 1 unchanged. 2 fields that another source owns keep their stored values.',
      )
      .waitFor();
    await page
      .getByText('Changed fields: licenses. Kept fields, because another source owns them: name')
      .waitFor();
    await page.getByText('Kept fields, because another source owns them: name', { exact: true }).waitFor();
    await inspect(visitor, 'ownership-try-it');
    await visitor.leave();
  });
});
