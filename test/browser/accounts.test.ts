import { describe, expect, inject, it } from 'vitest';
import { filterBy, names, ownAccounts, pathOf, settle, table } from './accounts-page.js';
import { keyFor, ownTenant } from './own-tenant.js';
import { browserForTests } from './visitor.js';

const browser = browserForTests();
const { alpha, beta, gamma, nameless, found } = ownAccounts('zzfind');

describe('searching accounts', () => {
  it('finds the start of a name or id, highlights it, and works with the keyboard alone', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts');
    await page.getByText(/^1–50 of 5,0\d\d$/).waitFor();
    await visitor.inspect('accounts');
    await page.keyboard.press('/');
    await page.keyboard.type('zZfind');
    // On a slow machine, a part of the text may be searched first.
    await page.waitForURL('**/accounts?search=zZfind');
    await settle(page, found);
    await page.getByText('1–4 of 4').waitFor();
    expect(await table(page).locator('mark').allTextContents()).toEqual([
      // First account: name and id. Second: id. Third: id, twice. Fourth: name.
      ...['Zzfind', 'zzfind', 'zzfind', 'zzfind', 'zzfind', 'Zzfind'],
    ]);
    expect(new URL(page.url()).search).toBe('?search=zZfind');
    await visitor.inspect('accounts-found');

    for (const key of ['ArrowDown', 'j', 'ArrowDown', 'k', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL('**/console/accounts/zzfind-2.example');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goBack();
    await settle(page, found);
    expect(await page.locator(':focus').textContent()).toBe(beta);
    await visitor.leave();
  });

  it('combines filters, in a URL that shows the same list to another user', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts?search=zzfind');
    await settle(page, found);
    await filterBy(page, 'Tier', 'Enterprise');
    await settle(page, [beta, nameless]);
    await filterBy(page, 'Last change', 'in the last hour');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Filter by' }).click();
    await page.getByRole('option', { name: 'Parent' }).click();
    await page.getByLabel('Parent id').fill('zzfind-1.example');
    await visitor.inspect('accounts-filter');
    await page.keyboard.press('Enter');
    await settle(page, [nameless]);
    await visitor.inspect('accounts-filtered');

    const other = await browser.visit();
    await other.signIn(pathOf(page));
    await settle(other.page, [nameless]);
    const filters = other.page.getByRole('region', { name: 'Filters' }).getByRole('button');
    expect(await filters.allTextContents()).toEqual([
      'Tier: Enterprise',
      'Parent: zzfind-1.example',
      'Changed in the last hour',
      'Clear filters',
    ]);
    await other.leave();

    await page.getByRole('button', { name: 'Remove filter Parent: zzfind-1.example' }).click();
    await settle(page, [beta, nameless]);
    await page.goBack();
    await settle(page, [nameless]);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await settle(page, found);
    await visitor.leave();
  });
});

describe('a search without results', () => {
  it('shows the search and the filters, and clears them', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts?search=zzfind-9&attribute=custom_Tier%3ATrial');
    await page.getByText('No matching accounts').waitFor();
    await page
      .getByText('No account matches all of these: id or name starts with “zzfind-9”; Tier: Trial.')
      .waitFor();
    await visitor.inspect('accounts-none');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByText(/^1–50 of 5,0\d\d$/).waitFor();
    expect(await page.getByLabel('Search by id or name').inputValue()).toBe('');
    await visitor.leave();
  });

  it('shows why a filter value is invalid', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts?attribute=licenses%3Amany');
    await page.getByText('the value is not a valid integer value').waitFor();
    expect(visitor.takeProblems()).toContainEqual(expect.stringContaining('400'));
    await page.getByRole('button', { name: 'Remove filter Licences: many seats' }).click();
    await page.getByText(/^1–50 of 5,0\d\d$/).waitFor();
    visitor.takeProblems();
    await visitor.leave();
  });

  it('continues automatically, then on request, if a response ends before the page is full', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts?attribute=licenses%3A7&search=zzfind');
    await settle(page, [alpha]);
    // Simulates more accounts than a test can store: the first eleven responses are empty and have a next page.
    const urls: string[] = [];
    await page.route(/\/accounts\?.*limit=50/, async (route) => {
      urls.push(route.request().url());
      if (urls.length > 11) return route.continue({ url: urls[0] as string });
      return route.fulfill({ json: { data: [], next: `page-${urls.length}` } });
    });
    await page.reload();
    await page.getByText('No matching accounts so far. Not all accounts have been searched.').waitFor();
    expect(urls.length).toBe(10);
    await visitor.inspect('accounts-further');
    await page.getByRole('button', { name: 'Continue searching' }).click();
    await settle(page, [alpha]);
    expect(urls.slice(1).map((url) => new URL(url).searchParams.get('cursor'))).toEqual(
      Array.from({ length: 11 }, (_, i) => `page-${i + 1}`),
    );
    await visitor.leave();
  });

  it('shows a tenant without accounts how to send the first one', async () => {
    const { key } = await ownTenant();
    const readKey = await keyFor(key, 'read');
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts', key);
    await page.getByText('No accounts yet').waitFor();
    await visitor.inspect('accounts-empty');
    expect(await page.getByRole('link', { name: 'Go to the overview' }).getAttribute('href')).toBe(
      '/console/',
    );
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

describe('a key with the scope read only', () => {
  it('finds accounts on a phone, in a list with a selectable order', async () => {
    const visitor = await browser.visit({ onPhone: true });
    const { page } = visitor;
    await visitor.signIn('/accounts', inject('consoleKeys').read);
    const cards = page.getByRole('list', { name: 'Accounts' }).getByRole('listitem');
    await expect.poll(() => cards.count()).toBe(50);
    await visitor.inspect('accounts-cards');
    await page.getByLabel('Search by id or name').fill('zzfind');
    await expect.poll(() => cards.getByRole('link').allTextContents()).toEqual(found);
    await page.getByLabel('Order').selectOption('Name, A to Z');
    await expect
      .poll(() => cards.getByRole('link').allTextContents())
      .toEqual([beta, alpha, gamma, nameless]);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
    await visitor.inspect('accounts-cards-found');
    await cards.first().click({ position: { x: 300, y: 40 } });
    await page.waitForURL('**/console/accounts/zzfind-2.example');
    await visitor.leave();
  });

  it('is offered filters, columns and export, and no way to send accounts', async () => {
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
