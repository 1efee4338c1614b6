import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { request } from './own-tenant.js';

/** Stores accounts for the tests of a file. No account of the demo starts with `word`. */
export function ownAccounts(word: string) {
  const name = word[0]?.toUpperCase() + word.slice(1);
  const accounts = [
    { account_id: `${word}-1.example`, name: `${name} Alpha, Ltd`, licenses: 7, custom_Tier: 'Starter' },
    { account_id: `${word}-2.example`, name: `=${name} "Beta"`, licenses: 12, custom_Tier: 'Enterprise' },
    { account_id: `${word}-3.example`, parent_account_id: `${word}-1.example`, custom_Tier: 'Enterprise' },
    { account_id: `other.${word}.example`, name: `${name} Gamma`, custom_CSM_Notes: '-1 +2\nend ' },
  ];
  beforeAll(async () => {
    // One by one, because tests check the order of their last changes.
    for (const account of accounts) await call('/v1_1/account', 'POST', account);
  });
  afterAll(async () => {
    for (const { account_id: id } of accounts) await call(`/v2/accounts/${id}`, 'DELETE');
  });
  const [alpha, beta, gamma, nameless] = [
    `${name} Alpha, Ltd`,
    `=${name} "Beta"`,
    `${name} Gamma`,
    `${word}-3.example`,
  ];
  return { word, name, alpha, beta, gamma, nameless, found: [alpha, beta, nameless, gamma] };
}

async function call(path: string, method: string, body?: unknown): Promise<void> {
  const { status } = await request(inject('consoleKeys').all, method, `/api${path}`, body);
  expect(status, `${method} ${path}`).toBeLessThan(300);
}

export const table = (page: Page) => page.getByRole('table', { name: 'Accounts' });
export const head = (page: Page, name: string) =>
  table(page).getByRole('columnheader', { name, exact: true });

/** Texts of the first column after the checkboxes. */
export const names = (page: Page) => table(page).locator('tbody td[data-column="name"]').allTextContents();
export const settle = (page: Page, expected: readonly string[]) =>
  expect.poll(() => names(page)).toEqual(expected);

/** The path and query string of the current page, for another visitor. */
export const pathOf = (page: Page) => page.url().split('/console')[1];

export async function filterBy(page: Page, name: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('combobox', { name: 'Filter by' }).fill(name);
  await page.getByRole('option', { name, exact: true }).click();
  await page.getByRole('button', { name: value, exact: true }).click();
}
