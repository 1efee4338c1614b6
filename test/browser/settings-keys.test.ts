import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { leftBehind } from './left-behind.js';
import { ownTenant, request, send } from './own-tenant.js';
import { browserForTests, WIDTHS } from './visitor.js';

const browser = browserForTests();

const shownKey = async (page: Page) => (await page.getByText(/^acs_\w{8}_/).textContent()) ?? '';

const expectNoKeyLeft = async (page: Page) => {
  const left = await leftBehind(page);
  expect(left.queries.length).toBeGreaterThan(0);
  expect(left.mutations.length).toBeGreaterThan(0);
  expect(left.cookies.length).toBe(1);
  expect(JSON.stringify(left)).not.toContain('acs_');
};

describe.each(WIDTHS)('keys, %o', ({ onPhone }) => {
  it('are made, shown once, rotated and revoked, and the audit tells of it', async () => {
    const tenant = await ownTenant();
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/settings/keys', tenant.key);
    await page.getByText('this session').waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('crm');
    await dialog.getByRole('checkbox', { name: 'read' }).check();
    await dialog.getByLabel('Ends').selectOption('90 days');
    await visitor.look('settings-keys-new');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('It is shown only now').waitFor();
    const first = await shownKey(page);
    await visitor.look('settings-keys-issued');
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(first);
    // Neither a click beside it, nor Escape, nor the way back loses the key.
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    await dialog.getByText('Still open, so that the key is not lost.').waitFor();
    await page.goBack();
    expect(await shownKey(page)).toBe(first);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expectNoKeyLeft(page);
    expect(new URL(page.url()).pathname).toBe('/console/settings/keys');
    expect((await send(first, { account_id: 'acme' })).status).toBe(200);
    expect((await request(first, 'GET', '/api/v2/keys')).status).toBe(403);
    await visitor.look('settings-keys');

    await page.getByRole('button', { name: 'Rotate crm' }).click();
    await dialog.getByLabel('The old key works on for').fill('2');
    await dialog.getByLabel('Unit').selectOption('days');
    await dialog.getByText('The old key works until').waitFor();
    await visitor.look('settings-keys-rotate');
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    await dialog.getByText(/^The old key, \w+, works until/).waitFor();
    const second = await shownKey(page);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await expectNoKeyLeft(page);
    for (const key of [first, second]) expect((await send(key, { account_id: 'acme' })).status).toBe(200);

    const idOf = (key: string) => key.split('_')[1] as string;
    for (const key of [second, first]) {
      const row = page.getByRole(onPhone ? 'listitem' : 'row').filter({ hasText: idOf(key) });
      await row.getByRole('button', { name: 'Revoke crm' }).click();
      await dialog.getByText(/used|never been used/).waitFor();
      if (key === second) await visitor.look('settings-keys-revoke');
      await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
      await page
        .getByRole('status')
        .getByText(`crm (${idOf(key)}) is revoked.`)
        .waitFor();
      expect((await send(key, { account_id: 'acme' })).status).toBe(401);
    }
    await page.getByRole('button', { name: 'Show 2 keys' }).click();
    await page.getByText('revoked', { exact: true }).first().waitFor();
    await visitor.look('settings-keys-ended');

    await page.getByRole('tab', { name: 'Audit' }).click();
    const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    const told = async () =>
      (await changes.allTextContents()).map((text) => text.replace(/(just now|\d+ minutes? ago).*$/, ''));
    await expect.poll(async () => (await told()).length).toBe(7);
    const [k1, k2] = [idOf(first), idOf(second)];
    expect(await told()).toEqual([
      `Key crm (${k1}) revoked`,
      `Key crm (${k2}) revoked`,
      expect.stringMatching(new RegExp(`^Key crm \\(${k1}\\) replaced by ${k2}; works until .*`)),
      expect.stringMatching(new RegExp(`^Key crm \\(${k2}\\) created for sync, read; ends .*`)),
      expect.stringMatching(new RegExp(`^Key crm \\(${k1}\\) created for sync, read; ends .*`)),
      `Key first (${tenant.keyId}) created for sync, read, admin; never ends`,
      `Tenant ${tenant.name} created`,
    ]);
    await page.getByText(`by first (${tenant.keyId}), request`).first().waitFor();
    await page.getByText('on the command line').first().waitFor();
    await page
      .getByRole('button', { name: `Raw, before and after: Key crm (${k1})` })
      .nth(1)
      .click();
    await page.getByRole('region', { name: 'after' }).getByText(`"successor": "${k2}"`).waitFor();
    await visitor.look('settings-audit');
    await visitor.leave();
  });
});

describe('keys', () => {
  it('keep the last one that may change them, and sign out whoever revokes their own', async () => {
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
    await visitor.look('settings-keys-last');
    await tenant.command('key', 'create', tenant.name, '--label', 'second', '--scope', 'admin');
    await dialog.getByRole('button', { name: 'Revoke and sign out' }).click();
    await page.getByLabel('Key', { exact: true }).waitFor();
    expect((await request(tenant.key, 'GET', '/api/v2/settings')).status).toBe(401);
    await visitor.leave();
  });

  it('are refused at the field with a day that has passed', async () => {
    const tenant = await ownTenant();
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/settings/keys', tenant.key);
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('late');
    await dialog.getByLabel('Ends').selectOption('day');
    await dialog.getByLabel('Last day').fill('2020-01-31');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Has passed already.').waitFor();
    expect(await dialog.getByLabel('Last day').getAttribute('aria-invalid')).toBe('true');
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
    await visitor.look('settings-keys-late');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await visitor.leave();
  });
});
