import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ownTenant } from './own-tenant.js';
import { inviteTo, memberOf, newPerson } from './people.js';
import { retainedState } from './retained-state.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

const LINK = /^http:\/\/127\.0\.0\.1:\d+\/console\/welcome#lnk_[\w-]{43}$/;

/** The entry of a person in a list or table. */
const entryOf = ({ page }: Visitor, email: string): Locator =>
  page.locator('tr, li').filter({ hasText: email });

/** Chooses an action on a member, and confirms it. */
async function act(visitor: Visitor, name: string, action: string, button: string): Promise<void> {
  const { page } = visitor;
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
}

const note = ({ page }: Visitor, text: string) =>
  page.getByRole('region', { name: 'People' }).getByRole('status').getByText(text, { exact: true }).waitFor();

/** The link that the dialog shows, which is in nothing that the page keeps once the dialog is closed. */
async function takeLink(visitor: Visitor): Promise<string> {
  const { page } = visitor;
  const dialog = page.getByRole('dialog');
  const url = (await dialog.getByText(LINK).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Copy the link' }).click();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(url);
  await page.keyboard.press('Escape');
  await dialog
    .getByText('This dialog stays open so that the link is not lost. Copy the link first.')
    .waitFor();
  await dialog.getByRole('button', { name: 'I have copied the link' }).click();
  await dialog.waitFor({ state: 'detached' });
  const left = await retainedState(page);
  expect(left.queries.length).toBeGreaterThan(0);
  expect(JSON.stringify(left)).not.toContain('lnk_');
  return url;
}

describe.each(WIDTHS)('people, %o', ({ onPhone }) => {
  it('are invited with a link that is shown once, and join with it', async () => {
    const tenant = await ownTenant();
    const person = newPerson();
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/settings/people', tenant.key);
    await page.getByRole('heading', { name: 'No users yet' }).waitFor();
    await visitor.inspect('people-none');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill('kim at example');
    await page.keyboard.press('Enter');
    await dialog.getByText('Must be an e-mail address.', { exact: true }).waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
    await dialog.getByLabel('E-mail address').fill(person.email);
    await dialog.getByRole('radio', { name: 'Editor' }).check();
    await visitor.inspect('people-invite');
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    await dialog.getByText(`It invites ${person.email} as an editor. It works once, until`).waitFor();
    await visitor.inspect('people-link');
    const first = await takeLink(visitor);
    await note(visitor, `${person.email} is invited as an editor.`);
    await page.getByText('People appear here after they accept an invitation.').waitFor();
    await visitor.inspect('people-invited');

    // A new link replaces the first one.
    await page.getByRole('button', { name: `New link for ${person.email}` }).click();
    expect(await dialog.getByRole('radio', { name: 'Editor' }).isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    const second = await takeLink(visitor);
    expect(second).not.toBe(first);
    await memberOf(tenant, 'viewer', newPerson('Ada Lovelace'));
    await page.reload();
    await entryOf(visitor, 'Ada Lovelace').getByText('Viewer').waitFor();

    await page.getByRole('button', { name: `Remove the invitation of ${person.email}` }).click();
    await dialog.getByText(`The link that ${person.email} has got stops working.`).waitFor();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await note(visitor, `The invitation of ${person.email} was removed.`);
    expect(await page.getByRole('region', { name: 'Open invitations' }).count()).toBe(0);
    await visitor.leave();
  });

  it('get another role, and are signed out, disabled and enabled', async () => {
    const tenant = await ownTenant();
    const admin = await memberOf(tenant, 'admin', newPerson('Ada Lovelace'));
    const person = await memberOf(tenant, 'viewer');
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signInAs(admin, '/settings/people');
    const own = entryOf(visitor, admin.email);
    await own.getByText('you', { exact: true }).waitFor();
    expect(await own.getByRole('button').count()).toBe(0);
    const other = await browser.visit();
    await other.signInAs(person);

    await page.getByRole('button', { name: 'Actions for Kim Poe' }).click();
    await visitor.inspect('people-actions');
    await page.getByRole('menuitem', { name: 'Change the role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Editor' }).check();
    await visitor.inspect('people-role');
    await dialog.getByRole('button', { name: 'Change the role', exact: true }).click();
    await note(visitor, 'Kim Poe is an editor now.');
    await entryOf(visitor, person.email).getByText('Editor', { exact: true }).waitFor();

    await act(visitor, 'Kim Poe', 'End all sessions', 'End all sessions');
    await note(visitor, '2 sessions of Kim Poe were ended.');
    await other.page.reload();
    await other.expectSignedOut();
    expect(other.takeProblems()).toEqual(expect.arrayContaining([expect.stringContaining('401')]));

    await page.getByRole('button', { name: 'Actions for Kim Poe' }).click();
    await page.getByRole('menuitem', { name: 'Disable', exact: true }).click();
    await dialog.getByText('is signed out of this tenant immediately').waitFor();
    await visitor.inspect('people-disable');
    await dialog.getByRole('button', { name: 'Disable', exact: true }).click();
    await note(visitor, 'Kim Poe is disabled.');
    await entryOf(visitor, person.email).getByText('disabled', { exact: true }).waitFor();
    await visitor.inspect('people');
    await other.page.getByLabel('E-mail address').fill(person.email);
    await other.page.getByLabel('Password', { exact: true }).fill(person.password);
    await other.page.keyboard.press('Enter');
    await other.page.getByText('This user belongs to no tenant here.').waitFor();
    expect(other.takeProblems()).toEqual([expect.stringContaining('403')]);

    await act(visitor, 'Kim Poe', 'Enable', 'Enable');
    await note(visitor, 'Kim Poe is enabled.');
    await other.page.keyboard.press('Enter');
    await other.expectSignedIn();
    await other.leave();
    await visitor.leave();
  });

  it('get a link to set a password, and are removed', async () => {
    const tenant = await ownTenant();
    const admin = await memberOf(tenant, 'admin', newPerson('Ada Lovelace'));
    const person = await memberOf(tenant, 'viewer');
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await visitor.signInAs(admin, '/settings/people');
    const other = await browser.visit();
    await act(visitor, 'Kim Poe', 'Make a password link', 'Make the link');
    await dialog.getByText('With it, Kim Poe sets a new password. It works once, until').waitFor();
    await visitor.inspect('people-password-link');
    await other.page.goto(await takeLink(visitor));
    await other.page.getByLabel('New password', { exact: true }).fill('other words to remember');
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    await act(visitor, 'Kim Poe', 'Remove', 'Remove');
    await note(visitor, 'Kim Poe was removed.');
    await entryOf(visitor, person.email).waitFor({ state: 'detached' });
    await other.page.reload();
    await other.expectSignedOut();
    expect(other.takeProblems()).toEqual(expect.arrayContaining([expect.stringContaining('401')]));
    await other.leave();

    await page.getByRole('tab', { name: 'Audit' }).click();
    const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await expect.poll(() => changes.count()).toBe(9);
    const entries = changes.filter({ hasText: person.email });
    const times = /(just now|\d+ minutes? ago) by .*$/;
    expect((await entries.allTextContents()).map((text) => text.replace(times, ''))).toEqual([
      `${person.email} removed (was viewer)`,
      `${person.email} has a new password`,
      expect.stringMatching(/ got a link to set a new password; it works until .*/),
      `${person.email} joined as viewer`,
      expect.stringMatching(/ invited as viewer; the link works until .*/),
    ]);
    await visitor.inspect('people-audit');
    await visitor.leave();
  });
});

describe('an invitation', () => {
  it('of a member is refused, with what to do instead', async () => {
    const tenant = await ownTenant();
    const person = await memberOf(tenant, 'viewer');
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/settings/people', tenant.key);
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill(person.email);
    await page.keyboard.press('Enter');
    await dialog.getByText(`${person.email} belongs to the tenant already, as viewer.`).waitFor();
    expect(await dialog.getByLabel('E-mail address').getAttribute('aria-invalid')).toBe('true');
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('409')]);
    await visitor.inspect('people-invite-member');
    await visitor.leave();
  });

  it('is listed until it is accepted', async () => {
    const tenant = await ownTenant();
    const person = newPerson();
    await inviteTo(tenant, person, 'admin');
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/settings/people', tenant.key);
    await page.getByRole('region', { name: 'Open invitations' }).getByText(person.email).waitFor();
    await memberOf(tenant, 'admin', person);
    await page.reload();
    await page.getByRole('table', { name: 'People' }).getByText(person.email).waitFor();
    expect(await page.getByRole('region', { name: 'Open invitations' }).count()).toBe(0);
    await visitor.leave();
  });
});
