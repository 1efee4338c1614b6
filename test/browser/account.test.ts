import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Account, AccountSync } from '../../client/dist/index.js';
import { openConnection } from '../../dist/store/sqlite/connection.js';
import { ownTenant, request, send } from './own-tenant.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

/** A deleted account continues its revision numbers when it is created again, so each run uses new ids. */
const RUN = `${Date.now().toString(36)}.account-page.example`;
/** Contains all characters with a meaning in URLs, and a text that looks like an escape. */
const ID = `account page/100%2f?#ü.${RUN}`;
const CHILD = `below.${RUN}`;
const NOTE = `They renewed early.\n${'A long story follows. '.repeat(40)}The end.`;

let service: AccountSync;
const demo: Account[] = [];

beforeAll(async () => {
  service = new AccountSync({ url: inject('consoleUrl'), key: inject('consoleKeys').all });
  for await (const account of service.list({ limit: 1000 })) demo.push(account);
  await service.upsert({
    account_id: ID,
    name: 'Account Page',
    licenses: 1234,
    custom_Is_Valid: true,
    custom_External_Created_On: '2021-05-31',
    custom_External_Created_At: '2021-05-31T23:30:00Z',
    custom_Tier: 'Business',
    custom_CSM_Notes: NOTE,
  });
  await service.upsert({ account_id: CHILD, parent_account_id: ID, name: 'Below the Page' });
  for (let licenses = 1; licenses <= 25; licenses += 1) await service.upsert({ account_id: CHILD, licenses });
  await service.upsert({ account_id: CHILD, name: 'Below Page', custom_External_Created_On: '2024-02-29' });
});

afterAll(async () => {
  await service.delete(CHILD);
  await service.delete(ID);
});

const pathOf = (id: string) => `/accounts/${encodeURIComponent(id)}`;
const found = (account: Account | undefined): Account => {
  if (account === undefined) throw new Error('The demo tenant has no matching account.');
  return account;
};
const field = ({ page }: Visitor, name: string) =>
  page.locator('dl > div').filter({ has: page.locator('dt').getByText(name, { exact: true }) });
const historyOf = ({ page }: Visitor) => page.getByRole('tabpanel').getByRole('listitem');

it('shows that older changes were removed, and that none of a field is stored', async () => {
  const { key, name } = await ownTenant();
  for (const record of [{ name: 'First' }, { licenses: 1 }, { licenses: 2 }]) {
    await send(key, { account_id: 'acme', ...record });
  }
  // Removes a change as the server does when the retention period of the tenant ends.
  const db = openConnection(join(String(inject('consoleSettings').ACCOUNT_SYNC_DATA_DIR), 'account-sync.db'));
  const removed = db
    .prepare(
      `delete from change_set where seq = (
         select first_change from account where account_id = 'acme'
         and tenant_id = (select id from tenant where name = ?)
       )`,
    )
    .run(name);
  db.close();
  expect(removed.changes).toBe(1);
  const visitor = await browser.visit();
  const { page } = visitor;
  await visitor.signIn(`${pathOf('acme')}?tab=history`, key);
  await page.getByText('Older changes of this account were removed').waitFor();
  expect(await historyOf(visitor).count()).toBe(2);
  await visitor.inspect('account-history-shortened');
  await visitor.open(`${pathOf('acme')}?tab=history&field=name`);
  await page
    .getByText('No change of this field is stored any more. Older changes of this account were removed')
    .waitFor();
  await visitor.leave();
});

describe.each(WIDTHS)('an account, %o', (options) => {
  it('shows its fields formatted by type, for an id with special characters', async () => {
    const visitor = await browser.visit(options);
    const { page } = visitor;
    await visitor.signIn(pathOf(CHILD));
    await page.getByRole('navigation', { name: 'Parent accounts' }).getByText('Account Page').click();
    await page.getByRole('heading', { level: 1, name: 'Account Page' }).waitFor();
    await page.getByText('Revision 1', { exact: true }).waitFor();
    const shown = (name: string) => field(visitor, name).locator('dd').innerText();
    await field(visitor, 'Licences').waitFor();
    expect(await shown('Id')).toBe(ID);
    expect(await shown('Licences')).toBe('1,234\u00a0seats');
    expect(await shown('custom_Is_Valid')).toBe('Yes');
    expect(await shown('Customer since')).toBe('31 May 2021');
    expect(await shown('custom_External_Created_At')).toBe('1 Jun 2021, 01:30:00\n31 May 2021, 23:30:00 UTC');
    expect(await shown('Tier')).toBe('Business');
    await page
      .getByRole('region', { name: 'Undeclared fields' })
      .getByText('no attribute declares them')
      .waitFor();
    expect(await shown('custom_CSM_Notes')).not.toContain('The end.');
    await visitor.inspect('account-fields');
    await page.getByRole('button', { name: 'Show all' }).first().click();
    expect(await shown('custom_CSM_Notes')).toContain('The end.');
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    await visitor.leave();
  });

  it('stores the tab in the URL, and copies its JSON', async () => {
    const visitor = await browser.visit(options);
    const { page } = visitor;
    await visitor.signIn(pathOf(ID));
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.waitForURL(`**${pathOf(ID)}?tab=json`);
    await page.reload();
    await page.getByRole('region', { name: 'the JSON of the account' }).waitFor();
    await visitor.inspect('account-json');
    await page.getByRole('button', { name: 'Copy the JSON' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(JSON.parse(copied)).toEqual(await service.get(ID));
    await page.getByRole('button', { name: 'Copy the id' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(ID);
    await visitor.leave();
  });

  it('shows its history, older changes on request, and the changes of one field', async () => {
    const visitor = await browser.visit(options);
    const { page } = visitor;
    await visitor.signIn(`${pathOf(CHILD)}?tab=history`);
    await expect.poll(() => historyOf(visitor).count()).toBe(20);
    const newest = await historyOf(visitor).first().innerText();
    expect(newest).toContain('Updated');
    expect(newest).toMatch(/Revision 27 · .+, run \d+ · key .+ \(\w{8}\) · request \S+/);
    expect(newest).toContain('–\nno value\nto\n29 Feb 2024');
    await visitor.inspect('account-history');
    await page.getByRole('button', { name: 'Show older changes' }).click();
    await expect.poll(() => historyOf(visitor).count()).toBe(27);
    expect(await historyOf(visitor).last().innerText()).toContain('Created');

    await page.getByRole('combobox', { name: 'Field' }).fill('Name');
    await page.getByRole('option', { name: 'Name', exact: true }).click();
    await page.waitForURL('**&field=name');
    await expect.poll(() => historyOf(visitor).count()).toBe(2);
    expect(await historyOf(visitor).first().innerText()).toContain('Below the Page\nto\nBelow Page');
    await page.getByRole('button', { name: 'Show 1 other field' }).first().click();
    await page.getByText('29 Feb 2024').waitFor();
    await visitor.inspect('account-history-of-a-field');
    await visitor.leave();
  });
});

it.each(['Pacific/Auckland', 'America/Los_Angeles'])('never shifts a date, in %s', async (timeZone) => {
  const visitor = await browser.visit({ timeZone });
  await visitor.signIn(pathOf(ID));
  const shown = (name: string) => field(visitor, name).locator('dd').innerText();
  expect(await shown('Customer since')).toBe('31 May 2021');
  expect(await shown('custom_External_Created_At')).toBe(
    `${timeZone === 'Pacific/Auckland' ? '1 Jun 2021, 11:30:00' : '31 May 2021, 16:30:00'}\n31 May 2021, 23:30:00 UTC`,
  );
  await visitor.page.getByText(timeZone).waitFor();
  await visitor.leave();
});

describe.each(WIDTHS)('the tree of child accounts, %o', (options) => {
  it('opens level by level with the arrow keys, and links to each account', async () => {
    const parents = new Map(demo.map((account) => [account.account_id, account.parent_account_id]));
    // NaN below an account that the demo has deleted. Which accounts are deleted depends on the time of day.
    const depthOf = (id: string | null): number => {
      if (id === null) return 0;
      const parent = parents.get(id);
      return parent === undefined ? Number.NaN : 1 + depthOf(parent);
    };
    const cycle = new Set(demo.filter(({ account_id }) => /^(holding|finance|trading)\./.test(account_id)));
    const deepest = found(demo.find((account) => !cycle.has(account) && depthOf(account.account_id) === 5));
    const path: Account[] = [];
    for (let id: string | null | undefined = deepest.account_id; id; id = parents.get(id)) {
      path.unshift(found(demo.find(({ account_id }) => account_id === id)));
    }
    const [top, ...below] = path as [Account, ...Account[]];

    const visitor = await browser.visit(options);
    const { page } = visitor;
    await visitor.signIn(`${pathOf(top.account_id)}?tab=below`);
    const item = (id: string) =>
      page.getByRole('treeitem').filter({ has: page.locator(`a[href$="${pathOf(id)}"]`) });
    const focused = () => page.evaluate<string>('document.activeElement.querySelector("a").textContent');
    await page.getByText(/direct child/).waitFor();
    await page.getByRole('treeitem').first().focus();
    for (const [step, { account_id, name }] of below.entries()) {
      await item(account_id).waitFor();
      while ((await focused()) !== name) await page.keyboard.press('ArrowDown');
      if (step < below.length - 1) {
        await page.keyboard.press('ArrowRight');
        await page
          .getByRole('treeitem', { level: step + 2 })
          .first()
          .waitFor();
      }
    }
    await visitor.inspect('account-below');
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toBe(below.at(-2)?.name);
    await page.keyboard.press('ArrowLeft');
    await item(deepest.account_id).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: below.at(-2)?.name ?? '' }).waitFor();
    const steps = page.getByRole('navigation', { name: 'Parent accounts' }).getByRole('link');
    await expect
      .poll(() => steps.allInnerTexts())
      .toEqual(['Accounts', ...path.slice(0, -2).map(({ name }) => name)]);
    await visitor.leave();
  });

  it('stops at a cycle and marks it', async () => {
    const [finance, holding, trading] = demo
      .filter(({ account_id }) => /^(holding|finance|trading)\./.test(account_id))
      .filter(({ account_id, parent_account_id }) =>
        demo.some(
          (other) => other.parent_account_id === account_id && other.account_id !== parent_account_id,
        ),
      )
      .sort((a, b) => a.account_id.localeCompare(b.account_id)) as [Account, Account, Account];
    const visitor = await browser.visit(options);
    const { page } = visitor;
    await visitor.signIn(`${pathOf(holding.account_id)}?tab=below`);
    await page.getByText('This account is part of a cycle').waitFor();
    await page
      .getByRole('treeitem', { name: trading.name ?? '' })
      .getByRole('button', { name: 'Expand' })
      .click();
    await page
      .getByRole('treeitem', { name: finance.name ?? '' })
      .getByRole('button', { name: 'Expand' })
      .click();
    const end = page.getByRole('treeitem', { name: 'Cycle: leads back to this account' });
    await end.waitFor();
    expect(await end.getAttribute('aria-expanded')).toBeNull();
    await visitor.inspect('account-cycle');
    await visitor.leave();
  });

  it('shows which parent is missing, and the accounts with that parent', async () => {
    const orphan = found(
      demo.find(({ parent_account_id }) => parent_account_id?.startsWith('former-parent.')),
    );
    const visitor = await browser.visit(options);
    const { page } = visitor;
    await visitor.signIn(pathOf(orphan.account_id));
    await page.getByText('A parent account is missing').waitFor();
    await visitor.inspect('account-missing-parent');
    const alert = page.getByRole('alert');
    await alert.getByRole('link', { name: orphan.parent_account_id ?? '' }).click();
    await page.getByRole('heading', { name: 'This account does not exist' }).waitFor();
    await page.getByRole('treeitem', { name: orphan.name ?? '' }).waitFor();
    // Neither the account nor its history exists, so both requests fail.
    await expect.poll(() => visitor.takeProblems().length).toBeGreaterThan(0);
    await page.waitForLoadState('networkidle');
    visitor.takeProblems();
    await visitor.inspect('account-missing');
    await visitor.leave();
  });
});

it('loads more children on request, and moves the keyboard focus to the first new one', async () => {
  const parent = `many.${RUN}`;
  const ids = Array.from({ length: 52 }, (_, i) => `child-${String(i).padStart(2, '0')}.${RUN}`);
  await service.upsert({ account_id: parent });
  await Promise.all(ids.map((account_id) => service.upsert({ account_id, parent_account_id: parent })));
  const visitor = await browser.visit();
  const { page } = visitor;
  await visitor.signIn(`${pathOf(parent)}?tab=below`);
  await page.getByText('52 direct children').waitFor();
  await page.getByRole('treeitem').first().focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('treeitem').count()).toBe(52);
  await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe(ids[50]);
  await visitor.leave();
  await Promise.all([parent, ...ids].map((id) => service.delete(id)));
});

it('collapses a long path of parents until it is expanded', async () => {
  const { key } = await ownTenant();
  const chain = Array.from({ length: 8 }, (_, i) => ({
    account_id: `level-${i}`,
    ...(i > 0 && { parent_account_id: `level-${i - 1}` }),
  }));
  await request(key, 'POST', '/api/v2/accounts/import', chain);
  const visitor = await browser.visit({ onPhone: true });
  const parents = visitor.page.getByRole('navigation', { name: 'Parent accounts' });
  await visitor.signIn('/accounts/level-7', key);
  await parents.getByRole('button', { name: '3 more' }).waitFor();
  expect(await parents.getByRole('link').allTextContents()).toEqual([
    'Accounts',
    'level-3',
    'level-4',
    'level-5',
    'level-6',
  ]);
  await parents.getByRole('button', { name: '3 more' }).click();
  expect(await parents.getByRole('link').count()).toBe(8);
  await visitor.leave();
});

describe('deleting an account', () => {
  it('asks for the id, returns to the list with a notice, and keeps a history without values', async () => {
    const id = `delete.${RUN}`;
    await service.upsert({ account_id: id, name: 'Doomed', licenses: 7 });
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn(pathOf(id));
    await page.getByRole('button', { name: 'Delete' }).click();
    const confirm = page.getByRole('button', { name: 'Delete permanently' });
    const input = page.getByLabel('Type the id to confirm');
    await input.fill(id.slice(1));
    expect(await confirm.isDisabled()).toBe(true);
    await visitor.inspect('account-delete');
    await page.keyboard.press('Enter');
    await input.fill(id);
    await confirm.click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await page.getByRole('status').getByText('Doomed was deleted.').waitFor();
    await visitor.inspect('account-deleted');
    expect(await service.get(id)).toBeUndefined();

    await visitor.open(pathOf(id));
    await page.getByRole('heading', { name: 'This account was deleted' }).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Created' })
      .getByText('deleted', { exact: true })
      .first()
      .waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('404')]);
    await visitor.inspect('account-after-deletion');
    await visitor.leave();
  });
});

it('offers no deletion to a key with the scope read only, and shows key ids instead of labels', async () => {
  const visitor = await browser.visit();
  const { page } = visitor;
  await visitor.signIn(`${pathOf(CHILD)}?tab=history`, inject('consoleKeys').read);
  await historyOf(visitor).first().waitFor();
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  expect(await historyOf(visitor).first().innerText()).toMatch(/· key \w{8} ·/);
  await visitor.inspect('account-read-only');
  await visitor.leave();
});
