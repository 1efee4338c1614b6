import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { ownTenant } from './own-tenant.js';
import { memberOf, sessionOf } from './people.js';
import { browserForTests, WIDTHS } from './visitor.js';

const browser = browserForTests();

/** What the server responds about its sign-in methods. */
const withMethods = (page: Page, methods: unknown) =>
  page.route('**/api/v2/sign-in-methods', (route) => route.fulfill({ json: methods }));

const OKTA = { name: 'Okta' };

describe.each(WIDTHS)('signing in with a password, %o', ({ onPhone }) => {
  it('returns to the page that was opened, after a wrong password too, and ends with signing out', async () => {
    const tenant = await ownTenant();
    const person = await memberOf(tenant, 'editor');
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.open('/runs?state=finished');
    const email = page.getByLabel('E-mail address');
    const password = page.getByLabel('Password', { exact: true });
    await email.waitFor();
    expect(await email.evaluate((field) => field.matches(':focus'))).toBe(true);
    const names = async (field: typeof email) => [
      await field.getAttribute('name'),
      await field.getAttribute('autocomplete'),
    ];
    expect([await names(email), await names(password)]).toEqual([
      ['email', 'username'],
      ['password', 'current-password'],
    ]);
    await visitor.inspect('sign-in');
    await page.keyboard.type(` ${person.email.toUpperCase()} `);
    await page.keyboard.press('Tab');
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await page.getByText('The e-mail address or the password is not right.', { exact: true }).waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('401')]);
    await visitor.inspect('sign-in-wrong-password');
    await password.fill(person.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    expect(new URL(page.url()).search).toBe('?state=finished');
    await page.getByRole('button', { name: tenant.name }).click();
    const session = page.getByRole('dialog');
    await session.getByText(person.email, { exact: true }).waitFor();
    expect(await session.getByText(/^(Kim Poe|Editor|of tenant .*)$/).allTextContents()).toEqual([
      'Kim Poe',
      'Editor',
      `of tenant ${tenant.name}`,
    ]);
    await visitor.inspect('session-of-person');
    await session.getByRole('button', { name: 'Sign out' }).click();
    await visitor.expectSignedOut();
    await page.reload();
    await visitor.expectSignedOut();
    await visitor.leave();
  });
});

describe('signing in with a password', () => {
  it('shows how long to wait after too many failures', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    const detail = 'Too many sign-ins with this e-mail address have failed. Try again in 57 seconds.';
    await page.route('**/api/v2/session', (route) =>
      route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        json: { status: 429, code: 'user_throttled', detail, errors: [] },
      }),
    );
    await visitor.open('');
    await page.getByLabel('E-mail address').fill('kim@example.com');
    await page.getByLabel('Password', { exact: true }).fill('a password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(detail, { exact: true }).waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('429')]);
    await visitor.leave();
  });

  it('starts in the tenant of the last session', async () => {
    const tenants = await Promise.all([ownTenant(), ownTenant()]);
    const [first, last] = tenants.toSorted((a, b) => a.name.localeCompare(b.name)) as typeof tenants;
    const person = await memberOf(first, 'viewer');
    await memberOf(last, 'viewer', person);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signInAs(person);
    await page.getByRole('button', { name: first.name, exact: true }).click();
    await page.getByRole('button', { name: last.name }).click();
    await visitor.signOut(last.name);
    await visitor.signInAs(person);
    await page.getByRole('button', { name: last.name, exact: true }).waitFor();
    await visitor.leave();
  });
});

describe('the ways to sign in', () => {
  it('are the identity provider, which returns to the page that was opened, beside a password', async () => {
    const tenant = await ownTenant();
    const person = await memberOf(tenant, 'viewer');
    const visitor = await browser.visit();
    const { page } = visitor;
    await withMethods(page, { password: true, key: true, oidc: OKTA });
    await visitor.open('/runs?source=crm');
    const link = page.getByRole('link', { name: 'Sign in with Okta' });
    expect(await link.getAttribute('href')).toBe(
      '/api/v2/session/oidc?return_to=%2Fconsole%2Fruns%3Fsource%3Dcrm',
    );
    await visitor.inspect('sign-in-provider');
    // The provider sends the browser back with a cookie.
    const [name = '', value = ''] = (await sessionOf(person, 'Chrome')).split('=');
    await page.route('**/api/v2/session/oidc?*', async (route) => {
      await page.context().addCookies([{ name, value, url: `${visitor.url}/api/v2`, sameSite: 'Strict' }]);
      const to = new URL(route.request().url()).searchParams.get('return_to');
      const body = `<meta http-equiv="refresh" content="0;url=${to}">`;
      await route.fulfill({ contentType: 'text/html', body });
    });
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    expect(new URL(page.url()).search).toBe('?source=crm');
    await page.getByRole('button', { name: tenant.name }).waitFor();
    // Other tabs and a reload know the session, too.
    await page.reload();
    await page.getByRole('button', { name: tenant.name }).waitFor();
    await visitor.leave();
  });

  it.each([
    ['oidc_expired', 'The sign-in took too long, or was begun in another window. Sign in again.'],
    [
      'oidc_new',
      'Signing in with Okta did not work. Try again. If it happens again, tell the operator of this server.',
    ],
  ])('explain %s of the identity provider, and then open the overview', async (code, text) => {
    const visitor = await browser.visit({ onPhone: code === 'oidc_new' });
    const { page } = visitor;
    await withMethods(page, { password: false, key: true, oidc: OKTA });
    await visitor.open(`/sign-in?problem=${code}`);
    await page.getByRole('alert').getByText(text, { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Sign in with Okta' }).getAttribute('href')).toBe(
      '/api/v2/session/oidc?return_to=%2Fconsole',
    );
    expect(await page.getByLabel('E-mail address').count()).toBe(0);
    await visitor.inspect(`sign-in-${code}`);
    await (await visitor.keyField()).fill(inject('consoleKeys').read);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/?$/);
    await visitor.leave();
  });

  it('are only those that are switched on', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await withMethods(page, { password: false, key: true, oidc: null });
    await visitor.open('');
    await page.getByLabel('Key', { exact: true }).waitFor();
    const shown = async () => [
      await page.getByRole('textbox').count(),
      await page.getByRole('button', { name: /^(Use|Sign in another)/ }).count(),
    ];
    expect(await shown()).toEqual([1, 0]);
    await page.unroute('**/api/v2/sign-in-methods');
    await withMethods(page, { password: true, key: false, oidc: null });
    await page.reload();
    await page.getByLabel('Password', { exact: true }).waitFor();
    expect(await shown()).toEqual([2, 0]);
    await page.unroute('**/api/v2/sign-in-methods');
    await withMethods(page, { password: false, key: false, oidc: OKTA });
    await page.reload();
    await page.getByRole('link', { name: 'Sign in with Okta' }).waitFor();
    expect(await shown()).toEqual([0, 0]);
    await visitor.leave();
  });
});
