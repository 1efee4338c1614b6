import { describe, expect, inject, it } from 'vitest';
import { browserForTests } from './visitor.js';

const browser = browserForTests();

describe.each(['light', 'dark'] as const)('signing in, %s', (theme) => {
  it('lets in with a key, shows whose accounts these are, and ends on signing out', async () => {
    const visitor = await browser.visit({ theme });
    const { page } = visitor;
    await visitor.open('/accounts');
    await page.getByRole('heading', { name: 'account-sync' }).waitFor();
    await visitor.look('sign-in');
    await page.getByLabel('Key', { exact: true }).fill(inject('consoleKeys').all);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await page.getByRole('button', { name: 'demo' }).click();
    await page.getByText('of tenant demo').waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Key', { exact: true }).waitFor();
    await page.reload();
    await page.getByLabel('Key', { exact: true }).waitFor();
    await visitor.leave();
  });
});
