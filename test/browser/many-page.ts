import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type OwnTenant, ownTenant, request } from './own-tenant.js';
import type { Visitor } from './visitor.js';

/** A tenant with the attributes custom_Tier, custom_Seats and the read-only custom_Score. */
export async function tenantWithAttributes(): Promise<OwnTenant> {
  const tenant = await ownTenant();
  const attributes = {
    custom_Tier: { type: 'choice', choices: ['silver', 'gold'], indexed: true },
    custom_Seats: { type: 'integer' },
    custom_Score: { type: 'integer', read_only: true },
  };
  for (const [name, body] of Object.entries(attributes)) {
    expect((await request(tenant.key, 'PUT', `/api/v2/attributes/${name}`, body)).status).toBeLessThan(300);
  }
  return tenant;
}

/** Stores accounts `a-0`, `a-1` and so on, named Company 000 and so on. */
export async function storeAccounts({ key }: OwnTenant, count: number, fields: object = {}): Promise<void> {
  const records = Array.from({ length: count }, (_, n) => ({
    account_id: `a-${n}`,
    name: `Company ${String(n).padStart(3, '0')}`,
    ...fields,
  }));
  for (let start = 0; start < count; start += 100) {
    const some = records.slice(start, start + 100);
    // A declaration applies within a second.
    await expect
      .poll(async () => (await request(key, 'POST', '/api/v1_1/accounts', some)).status)
      .toBeLessThan(300);
  }
}

export const account = async ({ key }: OwnTenant, id: string) =>
  (await request(key, 'GET', `/api/v2/accounts/${id}`)).body;

/** How many accounts match. */
export const countOf = async ({ key }: OwnTenant, query: string): Promise<number> =>
  (await request(key, 'GET', `/api/v2/accounts?${query}&limit=1&count=true`)).body.count.accounts;

export const barOf = ({ page }: Visitor) => page.getByRole('region', { name: 'Selected accounts' });

export const dialogOf = ({ page }: Visitor) => page.getByRole('dialog');

export async function select({ page }: Visitor, ...names: string[]): Promise<void> {
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
}

export const selectPage = ({ page }: Visitor) =>
  page.getByRole('checkbox', { name: /^Select (the accounts|all) on this page$/ }).check();

export const act = (visitor: Visitor, action: string) =>
  barOf(visitor).getByRole('button', { name: action, exact: true }).click();

export const press = (visitor: Visitor, button: string | RegExp) =>
  dialogOf(visitor).getByRole('button', { name: button, exact: true }).click();

/** The page that a link of the dialog opens in another tab. */
export async function openedBy(visitor: Visitor, link: string | RegExp): Promise<Page> {
  const opened = visitor.page.context().waitForEvent('page');
  await dialogOf(visitor).getByRole('link', { name: link, exact: true }).click();
  return opened;
}

export async function chooseField(visitor: Visitor, name: string): Promise<void> {
  const dialog = dialogOf(visitor);
  await dialog.getByRole('combobox', { name: 'Field' }).fill(name);
  await visitor.page.getByRole('option', { name, exact: true }).click();
}

/** The counts of a preview, such as “Will change 2 Stay as they are 0”. */
export const countsIn = async (visitor: Visitor) =>
  (await dialogOf(visitor).locator('dl').first().innerText()).replace(/\s+/g, ' ');
