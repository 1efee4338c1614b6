import { describe, expect, inject, it } from 'vitest';
import { runJson } from '../support/service.js';
import { keyFor, ownTenant } from './own-tenant.js';
import { browserForTests, type Visitor } from './visitor.js';

const browser = browserForTests();

const command = ({ page }: Visitor) => page.getByRole('region', { name: 'the command' });

describe('signing in', () => {
  it('lets in with a key, shows whose accounts these are, and ends on signing out', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.open('/accounts');
    await page.getByRole('heading', { name: 'account-sync' }).waitFor();
    await visitor.look('sign-in');
    await page.getByLabel('Key', { exact: true }).fill(inject('consoleKeys').all);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await page.getByRole('button', { name: 'demo' }).click();
    await page.getByText('of tenant demo').waitFor();
    await visitor.look('session');
    await page.keyboard.press('Escape');
    await visitor.signOut('demo');
    await page.reload();
    await page.getByLabel('Key', { exact: true }).waitFor();
    await visitor.leave();
  });

  it.each([
    ['sync', 'This key may only push accounts: it lacks the scope read, which the console needs.'],
    ['admin', 'This key may not look at accounts: it lacks the scope read, which the console needs.'],
  ])('is refused with a key that may only %s, with what to do', async (scope, reason) => {
    const { name, key } = await ownTenant();
    const visitor = await browser.visit({ onPhone: scope === 'sync' });
    const { page } = visitor;
    await visitor.open('');
    await page.getByLabel('Key', { exact: true }).fill(await keyFor(key, scope));
    await page.keyboard.press('Enter');
    await page.getByText(reason, { exact: true }).waitFor();
    expect(await command(visitor).textContent()).toBe(
      `npx account-sync key create ${name} --label console --scope sync read admin`,
    );
    expect(await page.context().cookies()).toEqual([]);
    await visitor.look(`sign-in-${scope}`);
    await page.reload();
    await page.getByLabel('Key', { exact: true }).waitFor();
    await visitor.leave();
  });

  it('opens every page with a key that the command on the page makes', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.open('');
    const [npx, program, ...args] = (await command(visitor).textContent())?.split(' ') ?? [];
    expect([npx, program]).toEqual(['npx', 'account-sync']);
    const { key } = await runJson(inject('consoleSettings'), ...args);
    await visitor.signIn('', key);
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
      'Overview',
      'Accounts',
      'Refusals',
      'Attributes',
      'Try it',
      'Settings',
    ]);
    await visitor.leave();
  });

  it('shows in other tabs, too, and so does signing out', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    const other = await page.context().newPage();
    await other.goto(`${visitor.url}/console/attributes`);
    await other.getByLabel('Key', { exact: true }).waitFor();
    await visitor.signIn('/accounts');
    await other.getByRole('heading', { level: 1, name: 'Attributes' }).waitFor();
    await visitor.signOut('demo');
    await other.getByRole('heading', { level: 1, name: 'account-sync' }).waitFor();
    const own = await ownTenant();
    await visitor.signIn('/accounts', own.key);
    await other.getByRole('button', { name: own.name }).waitFor();
    await visitor.leave();
  });
});

describe('a page', () => {
  it('that is opened begins at its top; the one that was left is found where it was', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    const place = () => page.evaluate<number>('scrollY');
    const open = (name: string) =>
      page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await visitor.signIn('/refusals');
    await page.getByText(/^\d+ refusals for \d+ reasons$/).waitFor();
    await open('Overview');
    await page.getByRole('heading', { name: 'Latest changes' }).waitFor();
    await page.mouse.wheel(0, 600);
    await expect.poll(place).toBeGreaterThan(500);
    const left = await place();
    await open('Refusals');
    await page.getByRole('heading', { level: 1, name: 'Refusals' }).waitFor();
    await expect.poll(place).toBe(0);
    expect(await page.getByRole('main').evaluate((main) => main.matches(':focus'))).toBe(true);
    await page.goBack();
    await page.getByRole('heading', { name: 'Latest changes' }).waitFor();
    await expect.poll(place).toBe(left);
    await visitor.leave();
  });
});
