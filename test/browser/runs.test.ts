import { describe, expect, inject, it } from 'vitest';
import { type OwnTenant, ownTenant, request, send } from './own-tenant.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

const openRun = async ({ key }: OwnTenant): Promise<string> =>
  (await request(key, 'POST', '/api/v2/runs')).body.id;

const finish = ({ key }: OwnTenant, id: string, body = {}) =>
  request(key, 'POST', `/api/v2/runs/${id}/finish`, body);

const sendBatch = ({ key }: OwnTenant, id: string, records: readonly unknown[]) =>
  request(key, 'POST', '/api/v1_1/accounts', records, { 'account-sync-run': id });

const parameters = ({ page }: Visitor) => Object.fromEntries(new URL(page.url()).searchParams);

const runsOf = ({ page }: Visitor, onPhone = false) =>
  onPhone
    ? page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
    : page.getByRole('table', { name: 'Runs' }).locator('tbody').getByRole('row');

const textOf = async (visitor: Visitor, onPhone: boolean) =>
  (await runsOf(visitor, onPhone).first().innerText()).replace(/\s+/g, ' ');

/** A finished run that creates two accounts, updates one, and rejects a batch of two. */
async function nightlyRun(tenant: OwnTenant): Promise<string> {
  await send(tenant.key, { account_id: 'acme', licenses: 1 });
  const id = await openRun(tenant);
  await sendBatch(tenant, id, [
    { account_id: 'acme', licenses: 25 },
    { account_id: 'new-1', licenses: 5, name: 'New 1' },
    { account_id: 'new-2', licenses: 6, name: 'New 2' },
  ]);
  await sendBatch(tenant, id, [{ account_id: 'acme', licenses: 25 }]);
  await sendBatch(tenant, id, [{ account_id: 'fine' }, { account_id: 'wrong', licenses: 'many' }]);
  await finish(tenant, id);
  return id;
}

describe.each(WIDTHS)('a run, %o', ({ onPhone }) => {
  it('is listed with its counts, and shows what changed and what was rejected', async () => {
    const tenant = await ownTenant();
    const id = await nightlyRun(tenant);
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('', tenant.key);
    if (onPhone) await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await expect.poll(() => runsOf(visitor, onPhone).count()).toBe(2);
    expect(await textOf(visitor, onPhone)).toMatch(
      onPhone
        ? new RegExp(`^first, run ${id} .*Finished Requests 3 Created 2 Updated 1 Unchanged 1 Rejected 2$`)
        : new RegExp(`^run ${id} first Finished just now < 1 s 3 2 1 1 2$`),
    );
    await visitor.inspect('runs');

    await page.getByRole('link', { name: `run ${id}` }).click();
    await page.getByRole('heading', { level: 1, name: `Run ${id} of first` }).waitFor();
    await page.getByText(`Key first (${tenant.keyId})`).waitFor();
    await page.getByText('Opened by the source').waitFor();
    await page.getByText('1 failed').waitFor();
    const fields = page.getByRole('region', { name: 'What changed, by field' }).getByRole('listitem');
    const licenses = fields.filter({ hasText: 'licenses' });
    await licenses.getByText('3 changes').waitFor();
    await expect.poll(() => licenses.innerText()).toMatch(/acme\s+1\s+to\s+25/);
    expect(await licenses.innerText()).toMatch(/new-1\s+created with 5/);
    expect(await fields.filter({ hasText: 'name' }).innerText()).toContain('2 changes');

    const rejections = page.getByRole('region', { name: 'Rejections' });
    await rejections.getByRole('button', { name: 'licenses has invalid integer value' }).click();
    await rejections.getByRole('figure', { name: 'The record' }).waitFor();
    await rejections.getByText('2 records were rejected.').waitFor();
    await page.getByRole('button', { name: 'Show 3 changes' }).press('Enter');
    const changes = page.getByRole('list', { name: 'Changes in their order' }).getByRole('listitem');
    await expect.poll(() => changes.count()).toBe(3);
    expect(parameters(visitor)).toMatchObject({ changes: '1' });
    await visitor.inspect('run');
    await changes.first().getByRole('link', { name: 'acme' }).click();
    await page.getByRole('heading', { level: 1, name: 'acme' }).waitFor();
    await visitor.leave();
  });

  it('of the demo tenant is readable', async () => {
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/runs', inject('consoleKeys').read);
    await runsOf(visitor, onPhone).first().waitFor();
    await visitor.inspect('runs-demo');
    await page
      .getByRole('main')
      .getByRole('link', { name: /run \d+$/ })
      .nth(2)
      .click();
    await page.getByRole('heading', { level: 1, name: /^Run \d+ of / }).waitFor();
    await page.getByText('Began with its first request').waitFor();
    await visitor.inspect('run-demo');
    await visitor.open('/sources');
    await page
      .getByRole('link', { name: /^Runs of / })
      .first()
      .waitFor();
    await visitor.inspect('sources-demo');
    await visitor.leave();
  });
});

describe('runs', () => {
  it('are filtered, with the filters in the URL, and more are loaded on request', async () => {
    const tenant = await ownTenant();
    for (let n = 0; n < 52; n += 1) await openRun(tenant);
    const abandoned = await openRun(tenant);
    await finish(tenant, abandoned, { abandon: true });
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/runs?state=none&last=year&since=then', tenant.key);
    await expect.poll(() => runsOf(visitor).count()).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => runsOf(visitor).count()).toBe(53);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);

    await page.getByLabel('State').selectOption('Abandoned');
    await expect.poll(() => runsOf(visitor).count()).toBe(1);
    await page.getByLabel('Source').selectOption('first');
    await page.getByText('Last hour').click();
    expect(parameters(visitor)).toMatchObject({ state: 'abandoned', source: 'first', last: 'hour' });
    await page.reload();
    await expect.poll(() => runsOf(visitor).count()).toBe(1);
    await page.getByText('Custom').click();
    await page.getByLabel('To', { exact: true }).fill('2020-01-31T12:00');
    await page.getByRole('heading', { name: 'No matching runs' }).waitFor();
    await visitor.inspect('runs-none-found');
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await expect.poll(() => runsOf(visitor).count()).toBe(50);
    await page.getByText('Last hour').click();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => runsOf(visitor).count()).toBe(53);
    await visitor.leave();
  });

  it('refresh automatically while they are open', async () => {
    const tenant = await ownTenant();
    const id = await openRun(tenant);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/runs', tenant.key);
    await runsOf(visitor).first().getByText('Open').waitFor();
    await sendBatch(tenant, id, [{ account_id: 'a', licenses: 1 }]);
    await expect.poll(() => textOf(visitor, false)).toMatch(/so far 1 1 0 0 0$/);
    await page.getByRole('link', { name: `run ${id}` }).click();
    const fields = page.getByRole('region', { name: 'What changed, by field' });
    await fields.getByText('created with 1').waitFor();
    await visitor.inspect('run-open');
    await sendBatch(tenant, id, [{ account_id: 'a', licenses: 2 }]);
    await fields.getByText('2 changes').waitFor();
    await finish(tenant, id);
    await page.getByText('Finished', { exact: true }).waitFor();
    await visitor.leave();
  });

  it('are explained if there are none, and if one does not exist', async () => {
    const { key } = await ownTenant();
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/runs', key);
    await page.getByRole('heading', { name: 'No runs yet' }).waitFor();
    await visitor.inspect('runs-none');
    await visitor.open('/runs/999999');
    await page.getByRole('heading', { name: 'This run does not exist' }).waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('404')]);
    await visitor.inspect('run-none');
    await page.getByRole('link', { name: 'All runs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    await visitor.leave();
  });

  it('are linked from the history of an account, from changes and from rejections', async () => {
    const tenant = await ownTenant();
    const id = await nightlyRun(tenant);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('', tenant.key);
    const main = page.getByRole('main');
    const link = main.getByRole('link', { name: `run ${id}` }).first();
    const head = page.getByRole('heading', { level: 1, name: `Run ${id} of first` });
    for (const name of ['Latest changes', 'Latest rejections']) {
      await page
        .getByRole('region', { name })
        .getByRole('link', { name: `run ${id}` })
        .first()
        .click();
      await head.waitFor();
      await page.goBack();
    }
    await visitor.open('/accounts/acme?tab=history');
    await main.getByText(`Revision 2 · first, run ${id} · key first (${tenant.keyId})`).waitFor();
    await link.click();
    await head.waitFor();
    await visitor.open('/rejections?source=first');
    await page.getByText('1 rejection for 1 reason').waitFor();
    expect(await page.getByLabel('Source').inputValue()).toBe('first');
    await page.getByRole('button', { name: 'licenses has invalid integer value' }).click();
    await visitor.inspect('rejections-source');
    await link.click();
    await head.waitFor();
    await visitor.open('/rejections?source=other');
    await page.getByRole('heading', { name: 'No matching rejections' }).waitFor();
    await visitor.leave();
  });
});
