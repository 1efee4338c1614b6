import { describe, expect, it } from 'vitest';
import { ownTenant, request } from './own-tenant.js';
import { inviteTo, memberOf, newPerson, tokenIn } from './people.js';
import { retainedState } from './retained-state.js';
import { browserForTests, WIDTHS } from './visitor.js';

const browser = browserForTests();

describe.each(WIDTHS)('the link of an invitation, %o', ({ onPhone }) => {
  it('asks a new person for a name and a password, and is not kept', async () => {
    const tenant = await ownTenant();
    const person = newPerson();
    const url = await inviteTo(tenant, person, 'editor');
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await page.goto(url);
    await page.getByRole('heading', { level: 1, name: `Join ${tenant.name} as an editor` }).waitFor();
    await page.getByText(person.email, { exact: true }).waitFor();
    await expect.poll(() => page.url()).toBe(`${visitor.url}/console/welcome`);
    await visitor.inspect('welcome');
    await page.getByLabel('Your name').fill(` ${person.name} `);
    const password = page.getByLabel('Password', { exact: true });
    expect(await password.getAttribute('autocomplete')).toBe('new-password');
    expect(await page.locator('input[autocomplete=username]').inputValue()).toBe(person.email);
    await password.fill('too short');
    await page.keyboard.press('Enter');
    await page.getByText('Must have at least 12 characters.', { exact: true }).waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
    await visitor.inspect('welcome-short-password');
    await password.fill(person.password);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/?$/);
    const left = JSON.stringify(await retainedState(page));
    expect(left).toContain(person.email);
    expect(left).not.toContain(tokenIn(url));
    expect(left).not.toContain(person.password);
    await page.getByRole('button', { name: tenant.name }).click();
    await page.getByRole('dialog').getByText(person.name, { exact: true }).waitFor();
    await visitor.leave();
  });

  it('asks a person who belongs to another tenant for the present password', async () => {
    const [first, second] = await Promise.all([ownTenant(), ownTenant()]);
    const person = await memberOf(first, 'viewer');
    const url = await inviteTo(second, person, 'viewer');
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await page.goto(url);
    await page.getByRole('heading', { level: 1, name: `Join ${second.name} as a viewer` }).waitFor();
    const password = page.getByLabel('Your password', { exact: true });
    expect(await password.getAttribute('autocomplete')).toBe('current-password');
    await password.fill('another password');
    await page.keyboard.press('Enter');
    await page.getByText('The e-mail address or the password is not right.', { exact: true }).waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('401')]);
    await visitor.inspect('welcome-existing');
    await password.fill(person.password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: second.name, exact: true }).waitFor();
    await visitor.leave();
  });
});

describe('a link', () => {
  it('that was replaced says so and what to do, and a newer one works in the same tab', async () => {
    const tenant = await ownTenant();
    const person = newPerson();
    const replaced = await inviteTo(tenant, person, 'viewer');
    const url = await inviteTo(tenant, person, 'viewer');
    const visitor = await browser.visit({ onPhone: true });
    const { page } = visitor;
    await page.goto(replaced);
    await page.getByRole('heading', { level: 1, name: 'This link cannot be used' }).waitFor();
    await page
      .getByText(
        'This link is not valid: it has expired, was used, or was replaced by another. Ask for a new one.',
      )
      .waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('404')]);
    await visitor.inspect('welcome-not-valid');
    await page.goto(url);
    await page.getByRole('heading', { level: 1, name: `Join ${tenant.name} as a viewer` }).waitFor();
    await expect.poll(() => page.url()).toBe(`${visitor.url}/console/welcome`);
    await visitor.leave();
  });

  it('without its token leads to the sign-in', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.open('/welcome');
    await page.getByText('The address of this page is not complete. Open the link again').waitFor();
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await visitor.expectSignedOut();
    await visitor.leave();
  });

  it('offers the identity provider beside a password, or alone', async () => {
    const tenant = await ownTenant();
    const url = await inviteTo(tenant, newPerson(), 'viewer');
    const visitor = await browser.visit();
    const { page } = visitor;
    await page.route('**/api/v2/sign-in-methods', (route) =>
      route.fulfill({ json: { password: true, key: true, oidc: { name: 'Okta' } } }),
    );
    await page.goto(url);
    await page.getByLabel('Your name').waitFor();
    const link = page.getByRole('link', { name: 'Sign in with Okta' });
    expect(await link.getAttribute('href')).toBe('/api/v2/session/oidc?return_to=%2Fconsole');
    await visitor.inspect('welcome-provider');
    await page.unroute('**/api/v2/sign-in-methods');
    await page.route('**/api/v2/sign-in-methods', (route) =>
      route.fulfill({ json: { password: false, key: true, oidc: { name: 'Okta' } } }),
    );
    await page.goto('about:blank');
    await page.goto(url);
    await link.waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await visitor.leave();
  });

  it('to set a password sets it, ends the other sessions and signs in', async () => {
    const tenant = await ownTenant();
    const person = await memberOf(tenant, 'viewer');
    const other = await browser.visit();
    await other.signInAs(person, '/runs');
    const [{ id }] = (await request(tenant.key, 'GET', '/api/v2/users')).body.data;
    const { url } = (await request(tenant.key, 'POST', `/api/v2/users/${id}/password-link`)).body;
    const visitor = await browser.visit();
    const { page } = visitor;
    await page.goto(url);
    await page.getByRole('heading', { level: 1, name: 'Set a new password' }).waitFor();
    await page.getByText('You are signed out everywhere else.').waitFor();
    await visitor.inspect('welcome-password');
    await page.getByLabel('New password', { exact: true }).fill('other words to remember');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await other.page.reload();
    await other.expectSignedOut();
    expect(other.takeProblems()).toEqual(expect.arrayContaining([expect.stringContaining('401')]));
    await other.signInAs({ ...person, password: 'other words to remember' });
    await other.leave();
    await visitor.leave();
  });
});
