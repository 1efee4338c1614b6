import { describe, expect, it } from 'vitest';
import { ownTenant, send } from './own-tenant.js';
import { memberOf, newPerson, sessionOf } from './people.js';
import { retainedState } from './retained-state.js';
import { browserForTests, WIDTHS } from './visitor.js';

const browser = browserForTests();

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';

describe.each(WIDTHS)('the profile, %o', ({ onPhone }) => {
  it('changes the name, and lists and ends sessions', async () => {
    const tenant = await ownTenant();
    const person = await memberOf(tenant, 'viewer', newPerson('Kim'));
    await sessionOf(person, FIREFOX);
    await sessionOf(person, SAFARI);
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signInAs(person);
    await page.getByRole('button', { name: tenant.name }).click();
    await page.getByRole('link', { name: 'Profile and sessions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Profile and sessions' }).waitFor();
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await expect.poll(() => sessions.count()).toBe(4);
    expect(await sessions.first().textContent()).toMatch(
      new RegExp(`^(Headless )?Chrome on Linuxthis browserTenant ${tenant.name} · started .* · in use now$`),
    );
    await visitor.inspect('profile');

    const firefox = sessions.filter({ hasText: 'Firefox on Linux' });
    await firefox.getByText('Firefox on Linux').hover();
    await page.getByRole('tooltip').getByText(FIREFOX, { exact: true }).waitFor();
    await firefox.getByRole('button', { name: 'End the session in Firefox on Linux' }).click();
    await page.getByText('The session in Firefox on Linux was ended.').waitFor();
    await firefox.waitFor({ state: 'detached' });
    await sessions.filter({ hasText: 'Safari on iPhone' }).waitFor();
    // The other one is that of the invitation.
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByText('2 sessions were ended.').waitFor();
    await expect.poll(() => sessions.count()).toBe(1);
    expect(await page.getByRole('button', { name: 'End all others' }).count()).toBe(0);

    await page.getByLabel('Name', { exact: true }).fill('Kim Poe');
    await page.getByRole('button', { name: 'Change the name' }).click();
    await page.getByText('Your name was changed.').waitFor();
    await page.getByRole('button', { name: tenant.name }).click();
    await page.getByRole('dialog').getByText('Kim Poe', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await visitor.leave();
  });

  it('changes the password with the current one, which ends the other sessions', async () => {
    const tenant = await ownTenant();
    const person = await memberOf(tenant, 'viewer', newPerson('Kim'));
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signInAs(person, '/profile');
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await expect.poll(() => sessions.count()).toBe(2);
    const current = page.getByLabel('Current password', { exact: true });
    const next = page.getByLabel('New password', { exact: true });
    await current.fill(person.password);
    await next.fill('too short');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('Must have at least 12 characters.', { exact: true }).waitFor();
    await next.fill('other words to remember');
    await current.fill('not the password');
    await page.keyboard.press('Enter');
    await page.getByText('This is not your current password.', { exact: true }).waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400'), expect.stringContaining('400')]);
    await visitor.inspect('profile-wrong-password');
    await current.fill(person.password);
    await page.keyboard.press('Enter');
    await page.getByText('Your password was changed. You are signed out everywhere else.').waitFor();
    await expect.poll(() => sessions.count()).toBe(1);
    const left = JSON.stringify(await retainedState(page));
    expect(left).toContain(person.email);
    expect(left).not.toContain('other words to remember');
    expect(left).not.toContain(person.password);
    await visitor.signOut(tenant.name);
    await visitor.signInAs({ ...person, password: 'other words to remember' });
    await visitor.leave();
  });

  it('switches between tenants, without data of the other one', async () => {
    const [first, second] = await Promise.all([ownTenant(), ownTenant()]);
    const person = await memberOf(first, 'admin');
    await memberOf(second, 'viewer', person);
    await send(first.key, { account_id: 'only-in-first' });
    await send(second.key, { account_id: 'only-in-second' });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signInAs(person, '/accounts');
    const shown = (await page.getByRole('button', { name: /^own-/ }).textContent()) ?? '';
    const switchTo = async (from: string, to: string) => {
      // By keyboard only.
      await page.getByRole('button', { name: from, exact: true }).press('Enter');
      const entry = page.getByRole('group', { name: 'Tenants' }).getByRole('button', { name: to });
      await entry.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: to, exact: true }).waitFor();
    };
    if (shown !== first.name) await switchTo(second.name, first.name);
    await page.getByText('only-in-first').first().waitFor();
    await page.getByRole('button', { name: first.name, exact: true }).click();
    await visitor.inspect('tenant-switch');
    await page.keyboard.press('Escape');
    const other = await page.context().newPage();
    await other.goto(`${visitor.url}/console/accounts/only-in-first`);
    await other.getByRole('heading', { level: 1, name: 'only-in-first' }).waitFor();

    await switchTo(first.name, second.name);
    await page.getByRole('status').getByText(`You are now in the tenant ${second.name}.`).waitFor();
    await page.getByText('only-in-second').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/accounts');
    expect(JSON.stringify(await retainedState(page))).not.toContain('only-in-first');
    // The other tab has the same session.
    await other.getByRole('button', { name: second.name, exact: true }).waitFor();
    await other.getByRole('heading', { name: 'This account does not exist' }).waitFor();
    await other.close();

    // A page that needs another role becomes the overview.
    await switchTo(second.name, first.name);
    await visitor.open('/settings/keys');
    await page.getByRole('heading', { name: 'Live keys' }).waitFor();
    await switchTo(first.name, second.name);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    await visitor.leave();
  });
});

describe('the sessions of a key', () => {
  it('are listed, without a profile', async () => {
    const tenant = await ownTenant();
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('', tenant.key);
    await page.getByRole('button', { name: tenant.name }).click();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    await page.getByText('this browser').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await visitor.inspect('sessions-of-key');
    await visitor.leave();
  });
});
