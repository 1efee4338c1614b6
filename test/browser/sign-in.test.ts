import { describe, expect, inject, it } from 'vitest';
import { runJson } from '../support/service.js';
import { keyFor, ownTenant } from './own-tenant.js';
import { browserForTests, type Visitor } from './visitor.js';

const browser = browserForTests();

const command = ({ page }: Visitor) => page.getByRole('region', { name: 'the command' });

describe('signing in with a key', () => {
  it('starts a session with a key, shows the tenant, and ends with signing out', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.open('/accounts');
    const field = await visitor.keyField();
    await visitor.inspect('sign-in-key');
    await field.fill(inject('consoleKeys').all);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await page.getByRole('button', { name: 'demo' }).click();
    await page.getByText('of tenant demo').waitFor();
    await visitor.inspect('session');
    await page.keyboard.press('Escape');
    await visitor.signOut('demo');
    await page.reload();
    await visitor.expectSignedOut();
    await visitor.leave();
  });

  it.each([
    ['sync', 'This key can only send accounts. The console needs a key with the scope read.'],
    ['admin', 'This key cannot read accounts. The console needs a key with the scope read.'],
  ])('is rejected for a key with the scope %s only, with a command that helps', async (scope, reason) => {
    const { name, key } = await ownTenant();
    const visitor = await browser.visit({ onPhone: scope === 'sync' });
    const { page } = visitor;
    await visitor.open('');
    await (await visitor.keyField()).fill(await keyFor(key, scope));
    await page.keyboard.press('Enter');
    await page.getByText(reason, { exact: true }).waitFor();
    expect(await command(visitor).textContent()).toBe(
      `npx account-sync key create ${name} --label console --scope sync read admin`,
    );
    expect(await page.context().cookies()).toEqual([]);
    await visitor.inspect(`sign-in-${scope}`);
    await page.reload();
    await visitor.expectSignedOut();
    await visitor.leave();
  });

  it('shows a command that creates a key for all pages', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.open('');
    await visitor.keyField();
    const [npx, program, ...args] = (await command(visitor).textContent())?.split(' ') ?? [];
    expect([npx, program]).toEqual(['npx', 'account-sync']);
    const { key } = await runJson(inject('consoleSettings'), ...args);
    await visitor.signIn('', key);
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
      'Overview',
      'Accounts',
      'Sources',
      'Runs',
      'Rejections',
      'Attributes',
      'Webhooks',
      'Try it',
      'Settings',
    ]);
    await visitor.leave();
  });

  it('applies to other tabs, and so does signing out', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    const other = await page.context().newPage();
    await other.goto(`${visitor.url}/console/attributes`);
    await other.getByLabel('E-mail address').waitFor();
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

describe('the scroll position', () => {
  it('is the top of a newly opened page, and is restored by the back button', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    const position = () => page.evaluate<number>('scrollY');
    const open = (name: string) =>
      page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await visitor.signIn('/rejections');
    await page.getByText(/^\d+ rejections for \d+ reasons$/).waitFor();
    await open('Overview');
    await page.getByRole('heading', { name: 'Latest changes' }).waitFor();
    await page.mouse.wheel(0, 600);
    await expect.poll(position).toBeGreaterThan(500);
    const left = await position();
    await open('Rejections');
    await page.getByRole('heading', { level: 1, name: 'Rejections' }).waitFor();
    await expect.poll(position).toBe(0);
    expect(await page.getByRole('main').evaluate((main) => main.matches(':focus'))).toBe(true);
    await page.goBack();
    await page.getByRole('heading', { name: 'Latest changes' }).waitFor();
    await expect.poll(position).toBe(left);
    await visitor.leave();
  });
});
