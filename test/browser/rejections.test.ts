import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { ownTenant, request } from './own-tenant.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

const call = async (method: string, path: string, body?: unknown, key = inject('consoleKeys').all) =>
  (await request(key, method, path, body)).body;

const group = ({ page }: Visitor, name: string | RegExp) =>
  page.getByRole('heading', { level: 2 }).getByRole('button', { name });

const parameters = ({ page }: Visitor) => Object.fromEntries(new URL(page.url()).searchParams);

/** Poll interval of the page. */
const POLL_MS = 15_000;
const BURST = 'custom_Last_Login_At has invalid datetime value';

describe.each(WIDTHS)('rejections of last night, %o', ({ onPhone }) => {
  it('are listed with each record, the marked field, and advice', async () => {
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn();
    if (onPhone) await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('link', { name: 'Rejections', exact: true }).click();
    await group(visitor, BURST).waitFor();
    await visitor.inspect('rejections');

    const night = page.getByRole('group', { name: 'Rejections over time' }).getByRole('button', {
      name: /00:00 to 06:00: 1\d\d rejections$/,
    });
    await night.click();
    await page.getByLabel('From', { exact: true }).waitFor();
    await group(visitor, BURST).click();
    const advice = page.getByRole('region', { name: 'How to fix' });
    await advice.getByText('"custom_Last_Login_At": "2027-12-31T08:30:00Z"').waitFor();
    await advice.getByText('"Invalid Date"', { exact: true }).waitFor();
    const record = page.getByRole('figure', { name: 'The record' }).first();
    expect(await record.locator('mark').allTextContents()).toEqual([
      '  "custom_Last_Login_At": "Invalid Date"',
    ]);
    expect(await record.textContent()).toMatch(
      /^\{ {2}"account_id": "(.+)",.*Account \1, custom_Last_Login_At has invalid datetime value\.\}$/,
    );
    await page.getByText('Key Product usage (').first().waitFor();
    await visitor.inspect('rejections-open');
    expect(await page.getByRole('listitem', { name: 'Rejection at' }).count()).toBe(10);
    await page.getByRole('button', { name: 'Show more (' }).click();
    expect(await page.getByRole('listitem', { name: 'Rejection at' }).count()).toBe(30);
    await visitor.leave();
  });
});

describe('rejections of one key', () => {
  let own: { id: string; key: string };
  beforeAll(async () => {
    own = await call('POST', '/api/v2/keys', { label: 'Rejected often', scopes: ['sync'] });
    await call('POST', '/api/v1_1/account', { account_id: 'Rejected.example', licenses: 'many' }, own.key);
    await call('POST', '/api/v1_1/account', { name: 'No id', api_token: 'x' }, own.key);
    await call('POST', '/api/v1_1/account', { account_id: 'null', name: 'x'.repeat(9_000) }, own.key);
    await call(
      'POST',
      '/api/v1_1/accounts',
      [{ account_id: 'a' }, { account_id: 'b', custom_Tier: 'x' }],
      own.key,
    );
    await call('POST', '/api/v1_1/accounts', {}, own.key);
    await vi.waitFor(
      async () => expect((await call('GET', `/api/v2/rejections?key_id=${own.id}`)).data).toHaveLength(5),
      { timeout: 30_000 },
    );
  });
  afterAll(() => call('DELETE', `/api/v2/keys/${own.id}`));

  it('are filtered, with the filters in the URL', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/rejections');
    await page.getByLabel('Key or person').selectOption('Rejected often');
    await page.getByText('5 rejections for 6 reasons').waitFor();
    const bars = page.getByRole('group', { name: 'Rejections over time' }).getByRole('button');
    await bars.first().press('ArrowRight');
    await expect.poll(() => bars.nth(1).evaluate((bar) => bar.matches(':focus'))).toBe(true);
    await page.getByText('Last hour').click();
    await page.getByLabel('Operation').selectOption('Batch');
    await page.getByText('2 rejections for 2 reasons').waitFor();
    expect(parameters(visitor)).toEqual({ key: own.id, last: 'hour', operation: 'upsert-batch' });
    await page.getByLabel('Text').fill('custom_TIER');
    await page.getByText('1 rejection for 1 reason').waitFor();
    await page.reload();
    await page.getByText('1 rejection for 1 reason').waitFor();
    expect(await page.getByLabel('Text').inputValue()).toBe('custom_TIER');
    await group(visitor, 'custom_Tier has invalid choice value').click();
    await page.getByText('"Enterprise"').waitFor();
    await page.getByText('Batch, record 2 ').waitFor();
    await visitor.inspect('rejections-choices');

    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Account', { exact: true }).fill('REJECTED.example');
    await page.getByText('1 rejection for 1 reason').waitFor();
    expect(parameters(visitor)).toMatchObject({ account: 'REJECTED.example' });
    await page.getByLabel('Text').fill('nothing is called this');
    await page.getByRole('heading', { name: 'No matching rejections' }).waitFor();
    await visitor.inspect('rejections-none');
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await group(visitor, BURST).waitFor();
    await visitor.leave();
  });

  it('are shown if the URL has invalid filters', async () => {
    const visitor = await browser.visit();
    await visitor.signIn('/rejections?last=year&since=then&until=now&operation=none&open=nothing');
    await group(visitor, BURST).waitFor();
    expect(await visitor.page.getByRole('radio', { name: 'All', exact: true }).isChecked()).toBe(true);
    await visitor.leave();
  });

  it('show a missing field, redacted values, a record that was cut, and a request without records', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn(`/rejections?key=${own.id}`);
    await group(visitor, 'account_id does not exist').click();
    await page.getByText('account_id does not exist. The field was not sent.').waitFor();
    await page.getByText('“[redacted]” replaces a value that was not stored').waitFor();
    await group(visitor, 'account_id blocked by system').click();
    await page.getByText('Only its beginning is shown.').waitFor();
    await page.getByRole('link', { name: 'Settings: blocked ids' }).waitFor();
    expect(await page.getByRole('list').getByRole('link', { name: 'Try it' }).count()).toBe(0);
    await visitor.inspect('rejections-cut');
    await group(visitor, 'Invalid data').click();
    await page.getByText('The whole request was rejected').waitFor();
    await page.getByRole('button', { name: 'Copy the request id' }).click();
    const { data } = await call('GET', `/api/v2/rejections?key_id=${own.id}`);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(data[0].request_id);
    await visitor.leave();
  });

  it('appear automatically without moving the list, and open in Try it', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await page.clock.install();
    await visitor.signIn(`/rejections?key=${own.id}`);
    await group(visitor, 'licenses has invalid integer value').click();
    const items = page.getByRole('listitem', { name: 'Rejection at' });
    await items.first().waitFor();
    await call('POST', '/api/v1_1/account', { account_id: 'newer.example', licenses: 1.5 }, own.key);
    await vi.waitFor(
      async () => expect((await call('GET', `/api/v2/rejections?key_id=${own.id}`)).data).toHaveLength(6),
      { timeout: 30_000 },
    );
    await page.clock.fastForward(POLL_MS);
    const button = page.getByRole('button', { name: 'Show 1 new rejection' });
    await button.waitFor();
    expect(await items.count()).toBe(1);
    await button.click();
    await items.first().getByRole('link', { name: 'newer.example' }).waitFor();
    expect(await items.count()).toBe(2);

    await items.first().getByRole('link', { name: 'Try it' }).click();
    await page.getByRole('heading', { name: 'Try it' }).waitFor();
    expect(JSON.parse(await page.getByRole('textbox', { name: 'Records' }).inputValue())).toEqual({
      account_id: 'newer.example',
      licenses: 1.5,
    });
    await page.getByRole('button', { name: 'Validate' }).click();
    await page.getByText('1 would be rejected.').waitFor();
    await visitor.leave();
  });
});

it('opens from its former address, with the query string unchanged', async () => {
  const visitor = await browser.visit();
  const { page } = visitor;
  const query = '?last=day&text=a%26b%20%25&open=licenses%3Ax';
  await visitor.signIn(`/refusals${query}`);
  await page.getByRole('heading', { level: 1, name: 'Rejections' }).waitFor();
  await expect.poll(() => page.url()).toBe(`${visitor.url}/console/rejections${query}`);
  expect(await page.getByLabel('Text').inputValue()).toBe('a&b %');
  await visitor.leave();
});

describe('a key with the scope read only', () => {
  it('gets no links to Try it and to the settings', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/rejections?text=blocked', inject('consoleKeys').read);
    await group(visitor, 'account_id blocked by system').click();
    await page.getByRole('listitem', { name: 'Rejection at' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Try it' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    await visitor.inspect('rejections-read-only');
    await visitor.leave();
  });
});

describe('more rejections than are stored', () => {
  it('are counted, with an explanation', async () => {
    const { key } = await ownTenant();
    const flood = Array.from({ length: 120 }, (_, i) => ({ account_id: `flood-${i}`, licenses: 'many' }));
    await call('POST', '/api/v1_1/accounts', flood, key);
    await vi.waitFor(
      async () =>
        expect((await call('GET', '/api/v2/stats', undefined, key)).data).toMatchObject([{ refused: 120 }]),
      { timeout: 30_000 },
    );
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/rejections', key);
    await page.getByText('50 rejections for 1 reason').waitFor();
    const note = page.getByText(/^120 records and requests were rejected since /);
    await expect
      .poll(() => note.textContent())
      .toMatch(/\. 50 of them are listed here\. The others were only counted/);
    await visitor.inspect('rejections-flood');
    await page.getByText('Last hour').click();
    await note.waitFor();
    await page.getByLabel('Account', { exact: true }).fill('flood-1');
    await page.getByText('1 rejection for 1 reason').waitFor();
    expect(await note.count(), 'there are no counts for one account').toBe(0);

    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByText('The statistics count every rejection.').waitFor();
    await visitor.leave();
  });
});

describe('a tenant without rejections', () => {
  it('sees an explanation until the first rejection', async () => {
    const { key } = await ownTenant();
    const visitor = await browser.visit();
    const { page } = visitor;
    await page.clock.install();
    await visitor.signIn('/rejections', key);
    await page.getByRole('heading', { name: 'No rejections in the last days' }).waitFor();
    await visitor.inspect('rejections-nothing');
    await call('POST', '/api/v1_1/account', { account_id: 'acme', licenses: 'many' }, key);
    await vi.waitFor(
      async () => expect((await call('GET', '/api/v2/rejections', undefined, key)).data).toHaveLength(1),
      { timeout: 30_000 },
    );
    await page.clock.fastForward(POLL_MS);
    await group(visitor, 'licenses has invalid integer value').waitFor();
    await visitor.leave();
  });
});
