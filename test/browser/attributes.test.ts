import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { NO_PRESENTATION } from '../support/no-presentation.js';
import { runStatements } from '../support/released-database.js';
import { request as ask, ownTenant } from './own-tenant.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

/** Unique to this file, because all tests share a tenant. */
const OWN = randomUUID().slice(0, 8);
const IDS = Array.from({ length: 10 }, (_, i) => `attributes-${OWN}-${i}.example`);

const request = (method: string, path: string, body?: unknown, key = inject('consoleKeys').all) =>
  ask(key, method, `/api/v2${path}`, body);

/** Stores a field in the accounts of this file and waits until the server has counted it. */
async function storeField(label: string, values: readonly unknown[]): Promise<string> {
  const name = `custom_${label}_${OWN}`;
  const records = values.map((value, i) => ({ account_id: IDS[i], [name]: value }));
  expect((await request('POST', '/accounts/import', records)).body.summary.failed).toBe(0);
  const counted = async () => {
    const { undeclared } = (await request('GET', '/attributes')).body;
    return undeclared.find((field: { name: string }) => field.name === name)?.accounts;
  };
  await expect.poll(counted).toBe(values.length);
  return name;
}

const row = ({ page }: Visitor, name: string) => page.getByRole('row').filter({ hasText: name }).first();
const dialog = ({ page }: Visitor) => page.getByRole('dialog');
const open = ({ page }: Visitor, name: string) => page.getByRole('button', { name, exact: true }).click();

afterAll(async () => {
  for (const id of IDS) await request('DELETE', `/accounts/${id}`);
});

describe.each(WIDTHS)('the list of attributes, %o', ({ onPhone }) => {
  it('shows the number of accounts, and examples that link to the accounts with a value', async () => {
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/attributes');
    await page.getByRole('heading', { level: 2, name: 'Declared', exact: true }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'Undeclared fields' }).waitFor();
    const { data } = (await request('GET', '/attributes')).body;
    const { accounts } = data.find((attribute: { name: string }) => attribute.name === 'custom_Region');
    const use = new Intl.NumberFormat('en-GB').format(accounts);
    await expect.poll(() => row(visitor, 'custom_Region').textContent()).toContain(use);
    await visitor.inspect('attributes');

    await page.getByLabel('Search by name').fill('REGION');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await open(visitor, 'Region custom_Region');
    await page.getByText(/^All [\d,]+ stored values fit\.$/).waitFor();
    expect(new URL(page.url()).search).toBe('?search=REGION&open=custom_Region');
    await visitor.inspect('attributes-open');
    await page.getByRole('list', { name: 'Examples of custom_Region' }).getByText('EMEA').click();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    expect(new URL(page.url()).search).toBe('?attribute=custom_Region%3AEMEA');
    await visitor.leave();
  });
});

it('sorts attributes by the number of accounts', async () => {
  const visitor = await browser.visit();
  const { page } = visitor;
  await visitor.signIn('/attributes');
  const uses = async () => {
    // The number, and its share on a separate line. Empty for the name and the parent.
    const cells = await page.getByRole('row').locator('td:last-child').allInnerTexts();
    return cells
      .filter((text) => text.trim() !== '')
      .map((text) => Number.parseInt(text.replaceAll(',', ''), 10));
  };
  await page.getByRole('button', { name: 'Accounts' }).click();
  await page.waitForURL('**/attributes?sort=use');
  const inOrder = (await uses()).toSorted((a, b) => b - a);
  expect(inOrder.length).toBeGreaterThan(10);
  expect(await uses()).toEqual(inOrder);
  await visitor.leave();
});

it('shows that a search has no results', async () => {
  const visitor = await browser.visit();
  const { page } = visitor;
  await visitor.signIn('/attributes?search=nothing-like-this');
  await page.getByText('No matching attributes').waitFor();
  await visitor.inspect('attributes-none');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await row(visitor, 'custom_Tier').waitFor();
  await visitor.leave();
});

describe.each(WIDTHS)('declaring a field, %o', ({ onPhone }) => {
  it('shows first how many values do not fit; the declaration can be removed', async () => {
    const name = await storeField(`Seats_${onPhone}`, [1, 2, 3, 'many', 'a few']);
    onTestFinished(async () => {
      await request('DELETE', `/attributes/${name}`);
    });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn(`/attributes?search=${OWN}`);
    await page.getByRole('button', { name: `Declare ${name}` }).click();
    await dialog(visitor).getByLabel('Type').selectOption('integer');
    await dialog(visitor).getByText('2 of 5 stored values do not fit.').waitFor();
    await dialog(visitor).getByText('Stored values do not change.').waitFor();
    await dialog(visitor).getByText('"many"').first().waitFor();
    await dialog(visitor).getByLabel('Indexed').check();
    await visitor.inspect('attributes-declare');
    await dialog(visitor).getByRole('button', { name: 'Declare', exact: true }).click();
    await page.getByText(`${name} was declared.`).waitFor();
    await dialog(visitor).waitFor({ state: 'detached' });
    // The index is built in the background.
    const declared = async () => (await request('GET', `/attributes/${name}`)).body;
    await expect.poll(declared).toEqual({
      name,
      type: 'integer',
      choices: [],
      read_only: false,
      built_in: false,
      owner: null,
      ...NO_PRESENTATION,
      index: 'ready',
      index_progress: null,
      accounts: 5,
    });
    await page.getByText('2 of 5 stored values do not fit.').waitFor();
    await visitor.inspect('attributes-declared');

    await page.getByRole('button', { name: 'Remove declaration' }).click();
    await dialog(visitor).getByText('5 accounts keep their values.').waitFor();
    await visitor.inspect('attributes-remove-declaration');
    await dialog(visitor).getByRole('button', { name: 'Remove declaration' }).click();
    await page.getByText(`${name} is no longer declared.`).waitFor();
    await page.getByRole('button', { name: `Declare ${name}` }).waitFor();
    expect((await request('GET', `/attributes/${name}`)).status).toBe(404);
    expect((await request('GET', `/accounts/${IDS[3]}`)).body.fields[name]).toBe('many');
    await visitor.leave();
  });
});

it('shows how far an index is built, and cancels it', async () => {
  const name = await storeField('Built', [1, 2, 3]);
  onTestFinished(async () => {
    await request('DELETE', `/attributes/${name}`);
  });
  expect((await request('PUT', `/attributes/${name}`, { type: 'integer' })).status).toBe(201);
  const { accounts } = (await request('GET', '/stats')).body;
  // As if another process was building it: no page of this one completes meanwhile.
  const building = `indexed = 1000000, index_accounts = ${Math.ceil(0.42 * accounts)}`;
  const settings = inject('consoleSettings');
  await runStatements({ settings, url: '' }, `update attribute set ${building} where name = '${name}'`);
  const visitor = await browser.visit();
  const { page } = visitor;
  await visitor.signIn(`/attributes?search=${name}&open=${name}`);
  await page.getByText('Building index: 42 %', { exact: true }).first().waitFor();
  await visitor.inspect('attributes-building');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Not indexed', { exact: true }).first().waitFor();
  expect((await request('GET', `/attributes/${name}`)).body).toMatchObject({
    index: 'none',
    index_progress: null,
  });
  await visitor.leave();
});

it('proposes the type that nearly all values fit, counts the others, and proposes no choice', async () => {
  const visitor = await browser.visit();
  const { page } = visitor;
  await visitor.signIn('/attributes?search=custom_Seats');
  // In the demo: whole numbers, and four words in 3 of 100 accounts.
  await open(visitor, 'custom_Seats');
  await page.getByText('Checked as integer').waitFor();
  const unfit = page.getByText(/^\d+ of 1,\d{3} stored values do not fit\.$/);
  await unfit.waitFor();
  await open(visitor, 'custom_Seats');
  await page.getByRole('button', { name: 'Declare custom_Seats', exact: true }).click();
  await dialog(visitor).getByText('Whole numbers, also as text').waitFor();
  expect(await dialog(visitor).getByLabel('Type').inputValue()).toBe('integer');
  await unfit.waitFor();
  await visitor.inspect('attributes-majority');
  await dialog(visitor).getByLabel('Type').selectOption('text');
  await dialog(visitor)
    .getByText(/^1,\d{3} of 1,\d{3} stored values do not fit\.$/)
    .waitFor();
  expect(await dialog(visitor).getByRole('button', { name: 'Use type choice' }).count()).toBe(0);
  await visitor.leave();
});

it('proposes choices if few different values are stored; choices can be changed later', async () => {
  const name = await storeField('Plan', ['gold', 'gold', 'silver', 'silver', 'gold', 'Gold, old']);
  onTestFinished(async () => {
    await request('DELETE', `/attributes/${name}`);
  });
  const visitor = await browser.visit();
  const { page } = visitor;
  await visitor.signIn(`/attributes?search=${OWN}`);
  await page.getByRole('button', { name: `Declare ${name}` }).click();
  await dialog(visitor).getByText('Only 3 different values').waitFor();
  await visitor.inspect('attributes-proposal');
  await dialog(visitor).getByRole('button', { name: 'Use type choice' }).click();
  await dialog(visitor).getByText('All 6 stored values fit.').waitFor();
  await dialog(visitor).getByRole('button', { name: 'Remove Gold, old' }).click();
  await dialog(visitor).getByText('1 of 6 stored values does not fit.').waitFor();
  await dialog(visitor).getByText('Stored values that are not choices: Gold, old.').waitFor();
  await visitor.inspect('attributes-choice');
  await dialog(visitor).getByRole('button', { name: 'Declare', exact: true }).click();
  await page.getByText(`${name} was declared.`).waitFor();
  const choices = async () => (await request('GET', `/attributes/${name}`)).body.choices.toSorted();
  expect(await choices()).toEqual(['gold', 'silver']);

  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog(visitor).getByLabel('Choices').fill('bronze');
  await page.keyboard.press('Enter');
  await dialog(visitor).getByRole('button', { name: 'Remove bronze' }).waitFor();
  await dialog(visitor).getByRole('button', { name: 'Save' }).click();
  await page.getByText(`${name} was changed.`).waitFor();
  expect(await choices()).toEqual(['bronze', 'gold', 'silver']);
  await visitor.leave();
});

it('shows errors of the server at the field that they are about', async () => {
  const visitor = await browser.visit();
  const { page } = visitor;
  await visitor.signIn('/attributes');
  await page.getByRole('button', { name: 'Declare an attribute' }).click();
  await dialog(visitor).getByLabel('Name').fill('Tier');
  await dialog(visitor).getByLabel('Type').selectOption('choice');
  await dialog(visitor).getByRole('button', { name: 'Declare', exact: true }).click();
  const described = async (label: string) => {
    const ids = await dialog(visitor).getByLabel(label).getAttribute('aria-describedby');
    const texts = (ids ?? '').split(/\s+/).map((id) => page.locator(`[id="${id}"]`).textContent());
    return (await Promise.all(texts)).join(' ');
  };
  await expect.poll(() => described('Name')).toContain('"Tier" cannot name an attribute');
  expect(await described('Choices')).toContain('A choice needs its values.');
  expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
  await visitor.inspect('attributes-rejected');

  await dialog(visitor).getByLabel('Name').fill('custom_Tier');
  await dialog(visitor).getByText('custom_Tier is already declared. Edit that attribute instead.').waitFor();
  expect(await dialog(visitor).getByRole('button', { name: 'Declare', exact: true }).isDisabled()).toBe(true);
  await visitor.leave();
});

it('checks many accounts in steps, and can be stopped', async () => {
  const { key } = await ownTenant();
  const records = Array.from({ length: 10_200 }, (_, i) => ({ account_id: `a${i}`, custom_Seats: i }));
  expect((await request('POST', '/accounts/import', records, key)).body.summary.created).toBe(10_200);
  const counted = async () =>
    (await request('GET', '/attributes', undefined, key)).body.undeclared[0]?.accounts;
  await expect.poll(counted).toBe(10_200);
  const visitor = await browser.visit();
  const { page } = visitor;
  await visitor.signIn('/attributes', key);
  await page.getByText('This tenant has only the built-in attributes so far.').waitFor();
  await open(visitor, 'custom_Seats');
  await page.getByText('All 10,000 stored values fit so far.').waitFor();
  await visitor.inspect('attributes-many');
  await page.getByRole('button', { name: 'Check all' }).click();
  await page.getByText('All 10,200 stored values fit.').waitFor();
  await open(visitor, 'custom_Seats');

  // Holds the second request back, because the check would end before the test could stop it.
  await page.route('**/check', (route) =>
    route.request().postDataJSON().cursor === undefined ? route.continue() : undefined,
  );
  await page.getByRole('button', { name: 'Declare custom_Seats' }).click();
  await dialog(visitor).getByText('10,000 of 10,200 accounts checked.').waitFor();
  expect(await dialog(visitor).getByRole('button', { name: 'Declare', exact: true }).isDisabled()).toBe(true);
  await visitor.inspect('attributes-going');
  await dialog(visitor).getByRole('button', { name: 'Stop' }).click();
  await dialog(visitor).getByText('All 10,000 stored values fit so far.').waitFor();
  expect(await dialog(visitor).getByRole('button', { name: 'Declare', exact: true }).isEnabled()).toBe(true);
  await page.unroute('**/check');
  await dialog(visitor).getByRole('button', { name: 'Check all' }).click();
  await dialog(visitor).getByText('All 10,200 stored values fit.').waitFor();
  await visitor.leave();
});

it('explains why a field cannot be declared', async () => {
  const record = { account_id: IDS[0], [`plan_${OWN}`]: 'gold' };
  expect((await request('POST', '/accounts/import', [record])).body.summary.failed).toBe(0);
  const names = async () =>
    (await request('GET', '/attributes')).body.undeclared.map((field: { name: string }) => field.name);
  await expect.poll(names).toContain(`plan_${OWN}`);
  const visitor = await browser.visit();
  await visitor.signIn(`/attributes?search=plan_${OWN}`);
  await open(visitor, `plan_${OWN}`);
  await visitor.page.getByText(`Change the name in the sending system to custom_plan_${OWN}`).waitFor();
  expect(await visitor.page.getByRole('button', { name: `Declare plan_${OWN}` }).count()).toBe(0);
  await visitor.inspect('attributes-name');
  await visitor.leave();
});

it('offers no changes to a key with the scope read only, and the server rejects them', async () => {
  const { read } = inject('consoleKeys');
  const visitor = await browser.visit();
  const { page } = visitor;
  await visitor.signIn('/attributes', read);
  await open(visitor, 'Tier custom_Tier');
  await page.getByRole('list', { name: 'Examples of custom_Tier' }).waitFor();
  expect(await page.getByRole('button', { name: /Declare|Edit|Remove declaration/ }).count()).toBe(0);
  await visitor.inspect('attributes-read-only');
  expect((await request('PUT', '/attributes/custom_Tier', { type: 'text' }, read)).status).toBe(403);
  expect((await request('DELETE', '/attributes/custom_Tier', undefined, read)).status).toBe(403);
  await visitor.leave();
});
