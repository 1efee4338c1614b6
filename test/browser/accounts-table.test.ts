import { describe, expect, it } from 'vitest';
import { head, names, ownAccounts, pathOf, settle, table } from './accounts-page.js';
import { browserForTests } from './visitor.js';

const browser = browserForTests();
const { alpha, beta, gamma, nameless, found } = ownAccounts('zztable');

describe('the table of accounts', () => {
  it('sorts by a column header in both directions, then in the default order', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts?search=zztable');
    await settle(page, found);
    const sortBy = async (name: string) => {
      await head(page, name).getByRole('button').click();
      return head(page, name).getAttribute('aria-sort');
    };
    expect(await sortBy('Name')).toBe('ascending');
    await settle(page, [beta, alpha, gamma, nameless]);
    expect(await sortBy('Name')).toBe('descending');
    await settle(page, [gamma, alpha, beta, nameless]);
    expect(await sortBy('Name')).toBeNull();
    await settle(page, found);
    expect(await sortBy('Id')).toBe('ascending');
    await settle(page, [gamma, alpha, beta, nameless]);
    expect(await sortBy('Last change')).toBe('descending');
    await settle(page, [gamma, nameless, beta, alpha]);
    await page.goBack();
    await settle(page, [gamma, alpha, beta, nameless]);
    expect(await head(page, 'Id').getAttribute('aria-sort')).toBe('ascending');
    await visitor.leave();
  });

  it('shows the selected columns with formatted values, and restores the default columns', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts?search=zztable-1');
    await settle(page, [alpha]);
    const heads = () => table(page).getByRole('columnheader').allTextContents();
    const defaults = ['Name', 'Id', 'Parent', 'Health', 'Account owner', 'Last change'];
    expect(await heads()).toEqual(defaults);
    await page.getByRole('button', { name: 'Columns' }).click();
    const chooser = page.getByRole('dialog', { name: 'Columns' });
    for (const name of [...defaults.slice(2), 'Licences', 'Tier']) {
      await chooser.getByLabel('Find a column').fill(name);
      await chooser.getByRole('checkbox', { name, exact: true }).click();
    }
    await chooser.getByLabel('Find a column').fill('');
    await expect.poll(heads).toEqual(['Name', 'Id', 'Licences', 'Tier']);
    const cells = () => table(page).locator('tbody td[data-column]').allTextContents();
    expect(await cells()).toEqual([alpha, 'zztable-1.example', '7\u00a0seats', 'Starter']);
    await visitor.inspect('accounts-columns');
    await page.reload();
    await settle(page, [alpha]);
    expect(await heads()).toEqual(['Name', 'Id', 'Licences', 'Tier']);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Restore default columns' }).click();
    await expect.poll(heads).toEqual(defaults);
    await visitor.leave();
  });

  it('pages forward and back, restores its scroll position, and opens at any page from a link', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    const next = page.getByRole('button', { name: 'Next' });
    const previous = page.getByRole('button', { name: 'Previous' });
    await visitor.signIn('/accounts?attribute=custom_Region%3AEMEA&sort=-id');
    await page.getByText(/^1–50 of /).waitFor();
    const first = await names(page);
    expect(await previous.isDisabled()).toBe(true);
    await next.click();
    await page.getByText(/^51–100 of /).waitFor();
    const second = await names(page);
    expect(second.filter((name) => first.includes(name))).toEqual([]);
    await next.click();
    await page.getByText(/^101–150 of /).waitFor();
    const third = await names(page);
    await table(page).getByRole('row').nth(40).getByRole('link').first().click();
    await page.waitForURL(/console\/accounts\/[^?]+$/);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goBack();
    await settle(page, third);
    expect(await page.evaluate<number>('window.scrollY')).toBeGreaterThan(0);
    await previous.click();
    await settle(page, second);
    const path = pathOf(page);
    await previous.click();
    await settle(page, first);
    await page.getByLabel('Accounts per page').selectOption('100 per page');
    await settle(page, [...first, ...second]);

    const other = await browser.visit();
    await other.signIn(path);
    await settle(other.page, second);
    await other.page.getByText(/^51–100 of /).waitFor();
    await other.page.getByRole('button', { name: 'First page' }).click();
    await settle(other.page, first);
    await other.leave();
    await visitor.leave();
  });
});
