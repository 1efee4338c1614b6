import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ownAccounts, settle } from './accounts-page.js';
import { browserForTests } from './visitor.js';

const browser = browserForTests();
const { alpha, beta, gamma, nameless } = ownAccounts('zzcsv');

describe('the CSV export of accounts', () => {
  it('contains the matching accounts in the selected columns, in the format of the command line', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    const columns = ['account_id', 'licenses', 'custom_CSM_Notes', 'parent_account_id'];
    const query = columns.map((column) => `column=${column}`).join('&');
    await visitor.signIn(`/accounts?search=zzcsv&sort=id&${query}`);
    await settle(page, [gamma, alpha, beta, nameless]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/^accounts-\d{4}-\d\d-\d\d\.csv$/);
    expect(await readFile(await file.path(), 'utf8')).toBe(
      [
        '\uFEFFname,account_id,licenses,custom_CSM_Notes,parent_account_id',
        'Zzcsv Gamma,other.zzcsv.example,,"\'-1 +2\nend ",',
        '"Zzcsv Alpha, Ltd",zzcsv-1.example,7,,',
        `"'=Zzcsv ""Beta""",zzcsv-2.example,12,,`,
        ',zzcsv-3.example,,,zzcsv-1.example',
        '',
      ].join('\r\n'),
    );
    await page.getByText('Saved a file with 4 accounts.').waitFor();
    await visitor.inspect('accounts-exported');
    await page.getByRole('button', { name: 'Close the notice' }).click();
    await page.getByText('Saved a file').waitFor({ state: 'detached' });
    await visitor.leave();
  });

  it('reads all pages, shows its progress, and can be cancelled', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/accounts?attribute=custom_Demo_Data%3Atrue&sort=id');
    await page.getByText('1–50 of 5,000').waitFor();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/limit=1000.*cursor=/, async (route) => {
      await held;
      // The request may have been cancelled by then.
      await route.continue().catch(() => undefined);
    });
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await page.getByText('Exporting: 1,000 of 5,000').waitFor();
    await visitor.inspect('accounts-exporting');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Exporting').waitFor({ state: 'detached' });
    release();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const lines = (await readFile(await (await saved).path(), 'utf8')).split('\r\n');
    // 5,000 accounts, the header, and the empty text after the last line.
    expect(new Set(lines).size).toBe(5_002);
    visitor.takeProblems();
    await visitor.leave();
  });
});
