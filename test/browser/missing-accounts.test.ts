import { describe, expect, it } from 'vitest';
import { type OwnTenant, ownTenant, request } from './own-tenant.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

/** Ids in the order of their numbers. */
const idOf = (n: number) => `customer-${String(n).padStart(4, '0')}`;

const openRun = async ({ key }: OwnTenant, missing: string): Promise<string> =>
  (await request(key, 'POST', '/api/v2/runs', { missing })).body.id;

const finish = ({ key }: OwnTenant, id: string) => request(key, 'POST', `/api/v2/runs/${id}/finish`, {});

/** Pushes the accounts of a range of numbers. */
const push = ({ key }: OwnTenant, id: string, from: number, to: number) =>
  request(
    key,
    'POST',
    '/api/v1_1/accounts',
    Array.from({ length: to - from }, (_, i) => ({
      account_id: idOf(from + i),
      name: `Customer ${from + i}`,
    })),
    { 'account-sync-run': id },
  );

/** A run that does not push the first accounts of the run before. */
async function laterRun(tenant: OwnTenant, missing: string, { accounts, left }: typeof FEW): Promise<string> {
  const first = await openRun(tenant, 'report');
  await push(tenant, first, 0, accounts);
  await finish(tenant, first);
  const id = await openRun(tenant, missing);
  await push(tenant, id, left, accounts);
  return id;
}

const FEW = { accounts: 40, left: 3 };
const MANY = { accounts: 600, left: 37 };

const panelOf = ({ page }: Visitor) => page.getByRole('region', { name: 'Missing accounts' });

const listOf = (visitor: Visitor) => panelOf(visitor).getByRole('listitem');

const textsOf = async (visitor: Visitor) =>
  (await listOf(visitor).allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));

/** By how many pixels the page is wider than the screen. Negative if a scroll bar has its place. */
const overflowOf = ({ page }: Visitor) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe.each(WIDTHS)('accounts that are missing from a run, %o', ({ onPhone }) => {
  it('are previewed while it is open, and archived when it is finished', async () => {
    const tenant = await ownTenant();
    const id = await laterRun(tenant, 'archive', FEW);
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn(`/runs/${id}`, tenant.key);
    await page.getByText('Asks for missing accounts, which are archived when it is finished').waitFor();
    expect(await listOf(visitor).count()).toBe(0);
    await page.getByRole('button', { name: 'Show accounts that are missing so far' }).press('Enter');
    await expect.poll(() => textsOf(visitor)).toEqual([0, 1, 2].map((n) => `${idOf(n)} Customer ${n}`));
    await visitor.inspect('run-missing-open');
    expect(await overflowOf(visitor)).toBeLessThanOrEqual(0);

    await finish(tenant, id);
    await page.getByText('3 of 40 accounts of this source were missing, and archived').waitFor();
    expect(await panelOf(visitor).count()).toBe(0);
    await page.getByRole('button', { name: 'Show 3 changes' }).click();
    await expect.poll(() => page.getByText('Archived', { exact: true }).count()).toBe(3);
    await visitor.inspect('run-missing-archived');
    expect(await overflowOf(visitor)).toBeLessThanOrEqual(0);
    await visitor.open('/runs');
    await page.getByText('3 archived').waitFor();
    await visitor.leave();
  });

  it('are listed after it is finished, and more of them on request', async () => {
    const tenant = await ownTenant();
    const id = await laterRun(tenant, 'report', MANY);
    await finish(tenant, id);
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/runs', tenant.key);
    await page.getByText('37 missing').waitFor();
    await visitor.inspect('runs-missing');
    await visitor.open(`/runs/${id}`);
    await page.getByText('37 of 600 accounts of this source are missing').waitFor();
    await expect.poll(() => listOf(visitor).count()).toBe(20);
    await visitor.inspect('run-missing');
    expect(await overflowOf(visitor)).toBeLessThanOrEqual(0);
    await panelOf(visitor).getByRole('button', { name: 'Show more' }).press('Enter');
    await expect.poll(() => listOf(visitor).count()).toBe(37);
    expect(await panelOf(visitor).getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await panelOf(visitor)
      .getByRole('link', { name: idOf(36) })
      .press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Customer 36' }).waitFor();
    await visitor.leave();
  });

  it('can be told if the source remembers which accounts it pushes', async () => {
    const tenant = await ownTenant();
    await request(tenant.key, 'PUT', '/api/v2/sources/crm', { label: 'Salesforce' });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/sources', tenant.key);
    const dialog = page.getByRole('dialog');
    const remember = dialog.getByRole('switch', { name: 'Remember which accounts it pushes' });
    const remembered = page.getByText('Accounts remembered');
    await page.getByRole('button', { name: 'Edit Salesforce' }).click();
    expect(await remember.isChecked()).toBe(false);
    await remember.press('Space');
    await visitor.inspect('sources-tracking');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('status').getByText('Salesforce was changed.').waitFor();
    await remembered.waitFor();
    const { is_tracked } = (await request(tenant.key, 'GET', '/api/v2/sources/crm')).body;
    expect(is_tracked).toBe(true);
    await visitor.inspect('sources-tracked');
    expect(await overflowOf(visitor)).toBeLessThanOrEqual(0);

    await page.getByRole('button', { name: 'Edit Salesforce' }).click();
    expect(await remember.isChecked()).toBe(true);
    await remember.press('Space');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await remembered.waitFor({ state: 'detached' });
    await visitor.open('/settings/audit');
    await page.getByText('accounts remembered from no to yes').waitFor();
    await page.getByText('accounts remembered from yes to no').waitFor();
    await visitor.leave();
  });
});

describe('a run', () => {
  it('without missing accounts lists none', async () => {
    const tenant = await ownTenant();
    const id = await laterRun(tenant, 'archive', { accounts: 20, left: 0 });
    await finish(tenant, id);
    const visitor = await browser.visit();
    await visitor.signIn(`/runs/${id}`, tenant.key);
    await visitor.page.getByText('None of 20 accounts of this source is missing').waitFor();
    expect(await panelOf(visitor).count()).toBe(0);
    await visitor.leave();
  });

  it('has none left if all were pushed since', async () => {
    const tenant = await ownTenant();
    const id = await laterRun(tenant, 'report', FEW);
    await finish(tenant, id);
    const later = await openRun(tenant, 'report');
    await push(tenant, later, 0, 40);
    const visitor = await browser.visit();
    await visitor.signIn(`/runs/${id}`, tenant.key);
    await panelOf(visitor).getByText('None is missing any more').waitFor();
    await visitor.inspect('run-missing-none-left');
    await visitor.leave();
  });

  it('that was abandoned with too many missing accounts archives none', async () => {
    const tenant = await ownTenant();
    const id = await laterRun(tenant, 'archive', { accounts: 20, left: 10 });
    const { status, body } = await finish(tenant, id);
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'too_many_missing' });
    await request(tenant.key, 'POST', `/api/v2/runs/${id}/finish`, { abandon: true });
    const visitor = await browser.visit();
    await visitor.signIn(`/runs/${id}`, tenant.key);
    await visitor.page.getByText('Asked for missing accounts, which were not counted').waitFor();
    expect(await panelOf(visitor).count()).toBe(0);
    await visitor.leave();
  });
});
