import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ownTenant, request, send } from './own-tenant.js';
import { retainedState } from './retained-state.js';
import { browserForTests, WIDTHS } from './visitor.js';

const browser = browserForTests();

const shownKey = async (page: Page) => (await page.getByText(/^acs_\w{8}_/).textContent()) ?? '';

const expectNoKeyLeft = async (page: Page) => {
  const left = await retainedState(page);
  expect(left.queries.length).toBeGreaterThan(0);
  expect(left.mutations.length).toBeGreaterThan(0);
  expect(left.cookies.length).toBe(1);
  expect(JSON.stringify(left)).not.toContain('acs_');
};

describe.each(WIDTHS)('keys, %o', ({ onPhone }) => {
  it('are created, shown once, rotated and revoked, with entries in the audit log', async () => {
    const tenant = await ownTenant();
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/settings/keys', tenant.key);
    await page.getByText('this session').waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('crm');
    await dialog.getByRole('checkbox', { name: 'read' }).check();
    await dialog.getByLabel('Expires').selectOption('90 days');
    await visitor.inspect('settings-keys-new');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('The key is shown only once').waitFor();
    const first = await shownKey(page);
    await visitor.inspect('settings-keys-issued');
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(first);
    // A click outside, Escape and the back button do not close the dialog.
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    await dialog.getByText('This dialog stays open so that the key is not lost.').waitFor();
    await page.goBack();
    expect(await shownKey(page)).toBe(first);
    await dialog.getByRole('button', { name: 'I have stored the key' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expectNoKeyLeft(page);
    expect(new URL(page.url()).pathname).toBe('/console/settings/keys');
    expect((await send(first, { account_id: 'acme' })).status).toBe(200);
    expect((await request(first, 'GET', '/api/v2/keys')).status).toBe(403);
    await visitor.inspect('settings-keys');

    await page.getByRole('button', { name: 'Rotate crm' }).click();
    await dialog.getByLabel('Keep the old key valid for').fill('2');
    await dialog.getByLabel('Unit').selectOption('days');
    await dialog.getByText('The old key works until').waitFor();
    await visitor.inspect('settings-keys-rotate');
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    await dialog.getByText(/^The old key, \w+, works until/).waitFor();
    const second = await shownKey(page);
    await dialog.getByRole('button', { name: 'I have stored the key' }).click();
    await expectNoKeyLeft(page);
    for (const key of [first, second]) expect((await send(key, { account_id: 'acme' })).status).toBe(200);

    const idOf = (key: string) => key.split('_')[1] as string;
    for (const key of [second, first]) {
      const row = page.getByRole(onPhone ? 'listitem' : 'row').filter({ hasText: idOf(key) });
      await row.getByRole('button', { name: 'Revoke crm' }).click();
      await dialog.getByText(/was last used|has not been used/).waitFor();
      if (key === second) await visitor.inspect('settings-keys-revoke');
      await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
      await page
        .getByRole('status')
        .getByText(`crm (${idOf(key)}) is revoked.`)
        .waitFor();
      expect((await send(key, { account_id: 'acme' })).status).toBe(401);
    }
    await page.getByRole('button', { name: 'Show 2 keys' }).click();
    await page.getByText('revoked', { exact: true }).first().waitFor();
    await visitor.inspect('settings-keys-ended');

    await page.getByRole('tab', { name: 'Audit' }).click();
    const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    const entries = async () =>
      (await changes.allTextContents()).map((text) => text.replace(/(just now|\d+ minutes? ago).*$/, ''));
    await expect.poll(async () => (await entries()).length).toBe(7);
    const [k1, k2] = [idOf(first), idOf(second)];
    expect(await entries()).toEqual([
      `Key crm (${k1}) revoked`,
      `Key crm (${k2}) revoked`,
      expect.stringMatching(new RegExp(`^Key crm \\(${k1}\\) replaced by ${k2}; works until .*`)),
      expect.stringMatching(
        new RegExp(`^Key crm \\(${k2}\\) created with scopes sync, read for source crm; expires .*`),
      ),
      expect.stringMatching(
        new RegExp(`^Key crm \\(${k1}\\) created with scopes sync, read for source crm; expires .*`),
      ),
      `Key first (${tenant.keyId}) created with scopes sync, read, admin for source first; never expires`,
      `Tenant ${tenant.name} created`,
    ]);
    await page.getByText(`by key first (${tenant.keyId}), request`).first().waitFor();
    await page.getByText('on the command line').first().waitFor();
    await page
      .getByRole('button', { name: `Details, before and after: Key crm (${k1})` })
      .nth(1)
      .click();
    await page.getByRole('region', { name: 'after' }).getByText(`"successor": "${k2}"`).waitFor();
    await visitor.inspect('settings-audit');
    await visitor.leave();
  });
});

describe('keys', () => {
  it('keep the last one with the scope admin; revoking the own key signs out', async () => {
    const tenant = await ownTenant();
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/settings/keys', tenant.key);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Revoke first' }).click();
    await dialog.getByText('This is your key').waitFor();
    await dialog.getByRole('button', { name: 'Revoke and sign out' }).click();
    await dialog
      .getByText(`${tenant.keyId} is the last key with the scope admin. Make another first.`)
      .waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('409')]);
    await visitor.inspect('settings-keys-last');
    await tenant.command('key', 'create', tenant.name, '--label', 'second', '--scope', 'admin');
    await dialog.getByRole('button', { name: 'Revoke and sign out' }).click();
    await visitor.expectSignedOut();
    expect((await request(tenant.key, 'GET', '/api/v2/settings')).status).toBe(401);
    await visitor.leave();
  });

  it('cannot expire in the past, with an error at the field', async () => {
    const tenant = await ownTenant();
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/settings/keys', tenant.key);
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('late');
    await dialog.getByLabel('Expires').selectOption('day');
    await dialog.getByLabel('Last day').fill('2020-01-31');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Has passed already.').waitFor();
    expect(await dialog.getByLabel('Last day').getAttribute('aria-invalid')).toBe('true');
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
    await visitor.inspect('settings-keys-late');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await visitor.leave();
  });
});
