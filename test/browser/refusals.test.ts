import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { ownTenant, request } from './own-tenant.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

const call = async (method: string, path: string, body?: unknown, key = inject('consoleKeys').all) =>
  (await request(key, method, path, body)).body;

const group = ({ page }: Visitor, name: string | RegExp) =>
  page.getByRole('heading', { level: 2 }).getByRole('button', { name });

const parameters = ({ page }: Visitor) => Object.fromEntries(new URL(page.url()).searchParams);

/** After so long the page asks again. */
const ASKED_AGAIN_MS = 15_000;
const BURST = 'custom_Last_Login_At has invalid datetime value';

describe.each(WIDTHS)('what was refused last night, %o', ({ onPhone }) => {
  it('is found from the start, with each record, the field marked in it, and the way to fix it', async () => {
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn();
    if (onPhone) await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('link', { name: 'Refusals', exact: true }).click();
    await group(visitor, BURST).waitFor();
    await visitor.look('refusals');

    const night = page.getByRole('group', { name: 'Refusals over time' }).getByRole('button', {
      name: /00:00 to 06:00: 1\d\d refusals$/,
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
    await page.getByText('Product usage (key ').first().waitFor();
    await visitor.look('refusals-open');
    expect(await page.getByRole('listitem', { name: 'Refusal of' }).count()).toBe(10);
    await page.getByRole('button', { name: 'Show more of' }).click();
    expect(await page.getByRole('listitem', { name: 'Refusal of' }).count()).toBe(30);
    await visitor.leave();
  });
});

describe('of one key', () => {
  let own: { id: string; key: string };
  beforeAll(async () => {
    own = await call('POST', '/api/v2/keys', { label: 'Refused often', scopes: ['sync'] });
    await call('POST', '/api/v1_1/account', { account_id: 'Refused.example', licenses: 'many' }, own.key);
    await call('POST', '/api/v1_1/account', { name: 'Nobody', api_token: 'x' }, own.key);
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
      { timeout: 10_000 },
    );
  });
  afterAll(() => call('DELETE', `/api/v2/keys/${own.id}`));

  it('it is told by filters, which stand in the address', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/refusals');
    await page.getByLabel('Key').selectOption('Refused often');
    await page.getByText('5 refusals for 6 reasons').waitFor();
    const bars = page.getByRole('group', { name: 'Refusals over time' }).getByRole('button');
    await bars.first().press('ArrowRight');
    await expect.poll(() => bars.nth(1).evaluate((bar) => bar.matches(':focus'))).toBe(true);
    await page.getByText('Last hour').click();
    await page.getByLabel('Operation').selectOption('Batch');
    await page.getByText('2 refusals for 2 reasons').waitFor();
    expect(parameters(visitor)).toEqual({ key: own.id, last: 'hour', operation: 'upsert-batch' });
    await page.getByLabel('Text').fill('custom_TIER');
    await page.getByText('1 refusal for 1 reason').waitFor();
    await page.reload();
    await page.getByText('1 refusal for 1 reason').waitFor();
    expect(await page.getByLabel('Text').inputValue()).toBe('custom_TIER');
    await group(visitor, 'custom_Tier has invalid choice value').click();
    await page.getByText('"Enterprise"').waitFor();
    await page.getByText('Batch, record 2 ').waitFor();
    await visitor.look('refusals-choices');

    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByLabel('Account', { exact: true }).fill('REFUSED.example');
    await page.getByText('1 refusal for 1 reason').waitFor();
    expect(parameters(visitor)).toMatchObject({ account: 'REFUSED.example' });
    await page.getByLabel('Text').fill('nothing is called this');
    await page.getByRole('heading', { name: 'No refusal matches' }).waitFor();
    await visitor.look('refusals-none');
    await page.getByRole('button', { name: 'Clear the filters' }).last().click();
    await group(visitor, BURST).waitFor();
    await visitor.leave();
  });

  it('it is told whatever else an address says that means nothing', async () => {
    const visitor = await browser.visit();
    await visitor.signIn('/refusals?last=year&since=then&until=now&operation=none&open=nothing');
    await group(visitor, BURST).waitFor();
    expect(await visitor.page.getByRole('radio', { name: 'All', exact: true }).isChecked()).toBe(true);
    await visitor.leave();
  });

  it('it is shown for what it is: a field that is missing, values not kept, a record that was cut, no record', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn(`/refusals?key=${own.id}`);
    await group(visitor, 'account_id does not exist').click();
    await page.getByText('account_id does not exist. It was not sent.').waitFor();
    await page.getByText('“[redacted]” stands for a value that was not kept').waitFor();
    await group(visitor, 'account_id blocked by system').click();
    await page.getByText('this is its beginning').waitFor();
    await page.getByRole('link', { name: 'Settings: blocked ids' }).waitFor();
    expect(await page.getByRole('list').getByRole('link', { name: 'Try it' }).count()).toBe(0);
    await visitor.look('refusals-cut');
    await group(visitor, 'Invalid data').click();
    await page.getByText('The request was refused as a whole').waitFor();
    await page.getByRole('button', { name: 'Copy the request id' }).click();
    const { data } = await call('GET', `/api/v2/rejections?key_id=${own.id}`);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(data[0].request_id);
    await visitor.leave();
  });

  it('it comes by itself, beside what one reads, and can be tried with what was sent', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await page.clock.install();
    await visitor.signIn(`/refusals?key=${own.id}`);
    await group(visitor, 'licenses has invalid integer value').click();
    const items = page.getByRole('listitem', { name: 'Refusal of' });
    await items.first().waitFor();
    await call('POST', '/api/v1_1/account', { account_id: 'newer.example', licenses: 1.5 }, own.key);
    await vi.waitFor(
      async () => expect((await call('GET', `/api/v2/rejections?key_id=${own.id}`)).data).toHaveLength(6),
      { timeout: 10_000 },
    );
    await page.clock.fastForward(ASKED_AGAIN_MS);
    const button = page.getByRole('button', { name: 'Show 1 newer one' });
    await button.waitFor();
    expect(await items.count()).toBe(1);
    await button.click();
    await items.first().getByRole('link', { name: 'newer.example' }).waitFor();
    expect(await items.count()).toBe(2);

    await items.first().getByRole('link', { name: 'Try it' }).click();
    await page.getByRole('heading', { name: 'Try it' }).waitFor();
    expect(JSON.parse(await page.getByLabel('Records').inputValue())).toEqual({
      account_id: 'newer.example',
      licenses: 1.5,
    });
    await page.getByRole('button', { name: 'Validate' }).click();
    await page.getByText('1 would be refused.').waitFor();
    await visitor.leave();
  });
});

describe('for a key that may only read', () => {
  it('there is neither a way to send nor one to the settings', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/refusals?text=blocked', inject('consoleKeys').read);
    await group(visitor, 'account_id blocked by system').click();
    await page.getByRole('listitem', { name: 'Refusal of' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Try it' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    await visitor.look('refusals-read-only');
    await visitor.leave();
  });
});

describe('where more was refused than is kept', () => {
  it('both numbers are told, and why they differ', async () => {
    const { key } = await ownTenant();
    const flood = Array.from({ length: 120 }, (_, i) => ({ account_id: `flood-${i}`, licenses: 'many' }));
    await call('POST', '/api/v1_1/accounts', flood, key);
    await vi.waitFor(
      async () =>
        expect((await call('GET', '/api/v2/stats', undefined, key)).data).toMatchObject([{ refused: 120 }]),
      { timeout: 10_000 },
    );
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/refusals', key);
    await page.getByText('50 refusals for 1 reason').waitFor();
    const note = page.getByText(/^In all 120 were refused since /);
    await expect
      .poll(() => note.textContent())
      .toMatch(/: 50 of them are kept in detail and shown here\. The others were only counted/);
    await visitor.look('refusals-flood');
    await page.getByText('Last hour').click();
    await note.waitFor();
    await page.getByLabel('Account', { exact: true }).fill('flood-1');
    await page.getByText('1 refusal for 1 reason').waitFor();
    expect(await note.count(), 'of one account it is not known how many there were').toBe(0);

    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByText('The figures count all that was refused.').waitFor();
    await visitor.leave();
  });
});

describe('where nothing was refused', () => {
  it('it is said, until something is', async () => {
    const { key } = await ownTenant();
    const visitor = await browser.visit();
    const { page } = visitor;
    await page.clock.install();
    await visitor.signIn('/refusals', key);
    await page.getByRole('heading', { name: 'Nothing was refused in the last days' }).waitFor();
    await visitor.look('refusals-nothing');
    await call('POST', '/api/v1_1/account', { account_id: 'acme', licenses: 'many' }, key);
    await vi.waitFor(
      async () => expect((await call('GET', '/api/v2/rejections', undefined, key)).data).toHaveLength(1),
      { timeout: 10_000 },
    );
    await page.clock.fastForward(ASKED_AGAIN_MS);
    await group(visitor, 'licenses has invalid integer value').waitFor();
    await visitor.leave();
  });
});
