import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { browserForTests } from './visitor.js';

const browser = browserForTests();

/** Nothing in the demo begins so. */
const OWN = [
  { account_id: 'zzrow-1.example', name: 'Zzrow Alpha, Ltd', licenses: 7, custom_Tier: 'Starter' },
  { account_id: 'zzrow-2.example', name: '=Zzrow "Beta"', licenses: 12, custom_Tier: 'Enterprise' },
  { account_id: 'zzrow-3.example', parent_account_id: 'zzrow-1.example', custom_Tier: 'Enterprise' },
  { account_id: 'other.zzrow.example', name: 'Zzrow Gamma', custom_CSM_Notes: '-1 +2\nend ' },
];

const ask = async (path: string, init: RequestInit = {}) => {
  const headers = { authorization: `Bearer ${inject('consoleKeys').all}`, 'content-type': 'application/json' };
  const response = await fetch(`${inject('consoleUrl')}/api${path}`, { headers, ...init });
  expect(response.ok, `${path}: ${response.status}`).toBe(true);
  return response.status === 204 ? undefined : response.json();
};

beforeAll(async () => {
  for (const account of OWN) {
    await ask('/v1_1/account', { method: 'POST', body: JSON.stringify(account) });
  }
});

afterAll(async () => {
  for (const { account_id: id } of OWN) await ask(`/v2/accounts/${id}`, { method: 'DELETE' });
});

const table = (page: Page) => page.getByRole('table', { name: 'Accounts' });
const search = (page: Page) => page.getByRole('textbox', { name: 'Search by id or name' });
const head = (page: Page, name: string) => table(page).getByRole('columnheader', { name, exact: true });

/** What stands in the first column, once it is what is awaited. */
const names = (page: Page) => table(page).locator('tbody tr td:first-child').allTextContents();
const settle = (page: Page, expected: readonly string[]) => expect.poll(() => names(page)).toEqual(expected);
const firstName = async (rows: Locator) => rows.locator('tbody tr td:first-child').first().textContent();

async function filterBy(page: Page, name: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('textbox', { name: 'Filter by' }).fill(name);
  await page.getByRole('option', { name, exact: true }).click();
  await page.getByRole('button', { name: value, exact: true }).click();
}

describe.each(['light', 'dark'] as const)('finding accounts, %s', (theme) => {
  it('by the beginning of a name or an id, with what was typed marked, from the keyboard alone', async () => {
    const visitor = await browser.visit({ theme });
    const { page } = visitor;
    await visitor.signIn('/accounts');
    await page.getByText(/^1–50 of 5,0\d\d$/).waitFor();
    await visitor.look('accounts');
    await page.keyboard.press('/');
    await page.keyboard.type('zZrow');
    await settle(page, ['Zzrow Alpha, Ltd', '=Zzrow "Beta"', 'zzrow-3.example', 'Zzrow Gamma']);
    await page.getByText('1–4 of 4').waitFor();
    expect(await table(page).locator('mark').allTextContents()).toEqual([
      ...['Zzrow', 'zzrow', 'zzrow', 'zzrow', 'zzrow'],
      'Zzrow',
    ]);
    expect(new URL(page.url()).search).toBe('?search=zZrow');
    await visitor.look('accounts-found');

    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/accounts/zzrow-2.example');
    await page.goBack();
    await settle(page, ['Zzrow Alpha, Ltd', '=Zzrow "Beta"', 'zzrow-3.example', 'Zzrow Gamma']);
    const focused = page.locator(':focus');
    await expect.poll(() => focused.textContent()).toBe('=Zzrow "Beta"');
    await visitor.leave();
  });

  it('by filters that hold together, in an address that shows somebody else the same', async () => {
    const visitor = await browser.visit({ theme });
    const { page } = visitor;
    await visitor.signIn('/accounts?search=zzrow');
    await settle(page, ['Zzrow Alpha, Ltd', '=Zzrow "Beta"', 'zzrow-3.example', 'Zzrow Gamma']);
    await filterBy(page, 'custom_Tier', 'Enterprise');
    await settle(page, ['=Zzrow "Beta"', 'zzrow-3.example']);
    await filterBy(page, 'Last change', 'in the last hour');
    await settle(page, ['=Zzrow "Beta"', 'zzrow-3.example']);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('textbox', { name: 'Filter by' }).click();
    await page.getByRole('option', { name: 'Parent' }).click();
    await page.getByLabel('Id of the parent').fill('zzrow-1.example');
    await visitor.look('accounts-filter');
    await page.keyboard.press('Enter');
    await settle(page, ['zzrow-3.example']);
    await visitor.look('accounts-filtered');

    const other = await browser.visit({ theme });
    await other.signIn(page.url().split('/console')[1]);
    await settle(other.page, ['zzrow-3.example']);
    const filters = other.page.getByRole('region', { name: 'Filters' }).getByRole('button');
    expect(await filters.allTextContents()).toEqual([
      'custom_Tier: Enterprise',
      'Parent: zzrow-1.example',
      'Changed in the last hour',
      'Clear all',
    ]);
    expect(other.takeProblems()).toEqual([expect.stringContaining('401')]);
    await other.page.context().close();

    await page.getByRole('button', { name: 'Remove the filter Parent: zzrow-1.example' }).click();
    await settle(page, ['=Zzrow "Beta"', 'zzrow-3.example']);
    await page.goBack();
    await settle(page, ['zzrow-3.example']);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await settle(page, ['Zzrow Alpha, Ltd', '=Zzrow "Beta"', 'zzrow-3.example', 'Zzrow Gamma']);
    await visitor.leave();
  });
});
