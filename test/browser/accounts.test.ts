import { describe, expect, inject, it } from 'vitest';
import { filterBy, names, ownAccounts, pathOf, settle, table } from './accounts-page.js';
import { keyFor, ownTenant } from './own-tenant.js';
import { browserForTests } from './visitor.js';

const browser = browserForTests();
const { alpha, beta, gamma, nameless, found } = ownAccounts('zzfind');

describe('finding accounts', () => {
  it('by the beginning of a name or an id, with what was typed marked, from the keyboard alone', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts');
    await page.getByText(/^1–50 of 5,0\d\d$/).waitFor();
    await visitor.look('accounts');
    await page.keyboard.press('/');
    await page.keyboard.type('zZfind');
    // On a busy machine its beginning may have been looked for before.
    await page.waitForURL('**/accounts?search=zZfind');
    await settle(page, found);
    await page.getByText('1–4 of 4').waitFor();
    expect(await table(page).locator('mark').allTextContents()).toEqual([
      // Of the first by name and id, of the second by id, of the third twice by id, of the last by name.
      ...['Zzfind', 'zzfind', 'zzfind', 'zzfind', 'zzfind', 'Zzfind'],
    ]);
    expect(new URL(page.url()).search).toBe('?search=zZfind');
    await visitor.look('accounts-found');

    for (const key of ['ArrowDown', 'j', 'ArrowDown', 'k', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL('**/console/accounts/zzfind-2.example');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goBack();
    await settle(page, found);
    expect(await page.locator(':focus').textContent()).toBe(beta);
    await visitor.leave();
  });

  it('by filters that hold together, in an address that shows somebody else the same', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts?search=zzfind');
    await settle(page, found);
    await filterBy(page, 'custom_Tier', 'Enterprise');
    await settle(page, [beta, nameless]);
    await filterBy(page, 'Last change', 'in the last hour');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Filter by' }).click();
    await page.getByRole('option', { name: 'Parent' }).click();
    await page.getByLabel('Id of the parent').fill('zzfind-1.example');
    await visitor.look('accounts-filter');
    await page.keyboard.press('Enter');
    await settle(page, [nameless]);
    await visitor.look('accounts-filtered');

    const other = await browser.visit();
    await other.signIn(pathOf(page));
    await settle(other.page, [nameless]);
    const filters = other.page.getByRole('region', { name: 'Filters' }).getByRole('button');
    expect(await filters.allTextContents()).toEqual([
      'custom_Tier: Enterprise',
      'Parent: zzfind-1.example',
      'Changed in the last hour',
      'Clear the filters',
    ]);
    await other.leave();

    await page.getByRole('button', { name: 'Remove the filter Parent: zzfind-1.example' }).click();
    await settle(page, [beta, nameless]);
    await page.goBack();
    await settle(page, [nameless]);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await settle(page, found);
    await visitor.leave();
  });
});

describe('where nothing is found', () => {
  it('says what was looked for, and clears it', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts?search=zzfind-9&attribute=custom_Tier%3ATrial');
    await page.getByText('No account matches').waitFor();
    await page
      .getByText('Looked for an id or a name that begins with “zzfind-9”; custom_Tier: Trial.')
      .waitFor();
    await visitor.look('accounts-none');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByText(/^1–50 of 5,0\d\d$/).waitFor();
    expect(await page.getByLabel('Search by id or name').inputValue()).toBe('');
    await visitor.leave();
  });

  it('says what is wrong with a value that cannot be', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts?attribute=licenses%3Amany');
    await page.getByText('the value is not a valid integer value').waitFor();
    expect(visitor.takeProblems()).toContainEqual(expect.stringContaining('400'));
    await page.getByRole('button', { name: 'Remove the filter licenses: many' }).click();
    await page.getByText(/^1–50 of 5,0\d\d$/).waitFor();
    visitor.takeProblems();
    await visitor.leave();
  });

  it('looks further by itself, then asks, where a request ends before it has found enough', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts?attribute=licenses%3A7&search=zzfind');
    await settle(page, [alpha]);
    // Stands for more accounts than a test can store: the first eleven looks find nothing and end early.
    const looks: string[] = [];
    await page.route(/\/accounts\?.*limit=50/, async (route) => {
      looks.push(route.request().url());
      if (looks.length > 11) return route.continue({ url: looks[0] as string });
      return route.fulfill({ json: { data: [], next: `look-${looks.length}` } });
    });
    await page.reload();
    await page.getByText('Nothing was found among many accounts. There are more to look through.').waitFor();
    expect(looks.length).toBe(10);
    await visitor.look('accounts-further');
    await page.getByRole('button', { name: 'Look further' }).click();
    await settle(page, [alpha]);
    expect(looks.slice(1).map((url) => new URL(url).searchParams.get('cursor'))).toEqual(
      Array.from({ length: 11 }, (_, i) => `look-${i + 1}`),
    );
    await visitor.leave();
  });

  it('shows a tenant without accounts how to send the first', async () => {
    const { key } = await ownTenant();
    const readKey = await keyFor(key, 'read');
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts', key);
    await page.getByText('No accounts yet').waitFor();
    await visitor.look('accounts-empty');
    expect(await page.getByRole('link', { name: 'To the overview' }).getAttribute('href')).toBe('/console/');
    await page.getByRole('link', { name: 'Send the first account' }).click();
    await page.waitForURL('**/console/try');
    await visitor.leave();
    const reader = await browser.visit();
    await reader.signIn('/accounts', readKey);
    await reader.page.getByText('No accounts yet').waitFor();
    expect(await reader.page.getByRole('link', { name: 'Send the first account' }).count()).toBe(0);
    await reader.leave();
  });
});

describe('a key that may only read', () => {
  it('finds accounts on a phone, where they are a list in an order to choose', async () => {
    const visitor = await browser.visit({ onPhone: true });
    const { page } = visitor;
    await visitor.signIn('/accounts', inject('consoleKeys').read);
    const cards = page.getByRole('list', { name: 'Accounts' }).getByRole('listitem');
    await expect.poll(() => cards.count()).toBe(50);
    await visitor.look('accounts-cards');
    await page.getByLabel('Search by id or name').fill('zzfind');
    await expect.poll(() => cards.getByRole('link').allTextContents()).toEqual(found);
    await page.getByLabel('Order').selectOption('Name, from A');
    await expect
      .poll(() => cards.getByRole('link').allTextContents())
      .toEqual([beta, alpha, gamma, nameless]);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
    await visitor.look('accounts-cards-found');
    await cards.first().click({ position: { x: 300, y: 40 } });
    await page.waitForURL('**/console/accounts/zzfind-2.example');
    await visitor.leave();
  });

  it('is offered what it may do: to look and to take along', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts?search=zzfind', inject('consoleKeys').read);
    await settle(page, found);
    expect(await names(page)).toEqual(found);
    expect(await page.getByRole('main').getByRole('button').allTextContents()).toEqual(
      expect.arrayContaining(['Filter', 'Columns', 'Export CSV']),
    );
    expect(await page.getByRole('link', { name: 'Try it' }).count()).toBe(0);
    await visitor.leave();
  });
});
