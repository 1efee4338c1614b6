import { describe, expect, it } from 'vitest';
import { type OwnTenant, ownTenant, request, send } from './own-tenant.js';
import { conflictsOf, laterChanges, nightlyRun, openDialog } from './undo-page.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

const declare = async ({ key }: OwnTenant, name: string, body: object) => {
  const { status } = await request(key, 'PUT', `/api/v2/attributes/${name}`, { type: 'text', ...body });
  expect(status).toBeLessThan(300);
};

const SEATS = { type: 'integer', label: 'Seats', unit: 'seats', description: 'How many people may use it.' };

/** An account with fields in groups, two of them with the same label. */
async function labelledAccount(tenant: OwnTenant): Promise<void> {
  await declare(tenant, 'licenses', { ...SEATS, group: 'Contract', position: 2 });
  await declare(tenant, 'custom_ARR', { type: 'decimal', unit: '€', group: 'Contract', position: 1 });
  await declare(tenant, 'custom_Region', { label: 'Region', group: 'Company', position: 1 });
  await declare(tenant, 'custom_Area', { label: 'Region', group: 'Company' });
  await declare(tenant, 'custom_Plain', {});
  await declare(tenant, 'custom_First', { label: 'Zuerst', position: 1 });
  await declare(tenant, 'custom_Unused', { label: 'Not used' });
  await send(tenant.key, {
    account_id: 'acme',
    licenses: 1_234,
    custom_ARR: 9.5,
    custom_Region: 'EMEA',
    custom_Area: 'Berlin',
    custom_Plain: 'p',
    custom_First: 'f',
    custom_Note: 'n',
  });
}

const textsOf = async ({ page }: Visitor, region: string) =>
  (
    await page
      .getByRole('region', { name: `${region} fields` })
      .locator('dl > div')
      .allInnerTexts()
  ).map((text) => text.replace(/\s+/g, ' '));

describe.each(WIDTHS)('the presentation of an attribute, %o', ({ onPhone }) => {
  it('is edited, shows an error at its field, and can be searched by', async () => {
    const tenant = await ownTenant();
    await declare(tenant, 'custom_ARR', { type: 'decimal', group: 'Contract' });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/attributes?open=licenses', tenant.key);
    await page.getByRole('button', { name: 'Edit' }).click();
    const section = page.getByRole('region', { name: 'Presentation' });
    await section.getByLabel('Label').fill(` ${'x'.repeat(101)}`);
    await section.getByLabel('Unit').fill('seats');
    await section.getByLabel('Group').fill('Con');
    await page.getByRole('option', { name: 'Contract' }).click();
    await section.getByLabel('Position').fill('20');
    await section.getByLabel('Description').fill('How many people\nmay use it.');
    await page.getByRole('button', { name: 'Save' }).click();
    await section.getByText('Must have at most 100 characters.').waitFor();
    visitor.takeProblems();
    await section.getByLabel('Label').fill(' Seats ');
    await visitor.inspect('field-labels-form');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Seats was changed.').waitFor();
    expect((await request(tenant.key, 'GET', '/api/v2/attributes/licenses')).body).toMatchObject({
      ...SEATS,
      position: 20,
      group: 'Contract',
    });
    await page.getByText('How many people may use it.').waitFor();
    await page.getByText('Group Contract · Position 20 · Unit seats').waitFor();
    await visitor.inspect('field-labels-attribute');
    await page.getByLabel('Search by name').fill('SEAT');
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    await page.getByRole('button', { name: 'Seats licenses' }).waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    for (const part of ['Label', 'Unit', 'Group', 'Position', 'Description'])
      await section.getByLabel(part).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('No declared attribute has “SEAT” in its name or label.').waitFor();
    await visitor.leave();
  });

  it('is used on the page of an account: labels, units, groups and their order', async () => {
    const tenant = await ownTenant();
    await labelledAccount(tenant);
    await send(tenant.key, { account_id: 'acme', licenses: 1_300, custom_Area: 'Hamburg' });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/accounts/acme', tenant.key);
    const headings = page.getByRole('tabpanel').getByRole('heading', { level: 2 });
    await expect
      .poll(() => headings.allInnerTexts())
      .toEqual(['Identity', 'Custom', 'Company', 'Contract', 'Undeclared']);
    expect(await textsOf(visitor, 'Custom')).toEqual(['Zuerst text f', 'custom_Plain text p']);
    expect(await textsOf(visitor, 'Company')).toEqual([
      'Region (custom_Region) text EMEA',
      'Region (custom_Area) text Hamburg',
    ]);
    expect(await textsOf(visitor, 'Contract')).toEqual([
      'custom_ARR decimal 9.5 €',
      'Seats integer 1,300 seats',
    ]);
    expect(await textsOf(visitor, 'Undeclared')).toEqual(['custom_Note n']);
    expect(await page.getByText('Seats', { exact: true }).getAttribute('title')).toBe(
      'licenses\nHow many people may use it.',
    );
    await page.getByText(/^Declared attributes without a value: .*Not used.*\.$/).waitFor();
    await visitor.inspect('field-labels-account');

    await page.getByRole('button', { name: 'History of Seats' }).click();
    await page.waitForURL('**?tab=history&field=licenses');
    expect(await page.getByRole('combobox', { name: 'Field' }).inputValue()).toBe('Seats');
    const newest = page.getByRole('tabpanel').getByRole('listitem').first();
    await expect
      .poll(async () => (await newest.innerText()).replace(/\s+/g, ' '))
      .toContain('Seats 1,234 seats to 1,300 seats');
    await visitor.inspect('field-labels-history');
    await page.getByRole('combobox', { name: 'Field' }).click();
    await page.getByRole('option', { name: 'Region (custom_Area)' }).click();
    await page.waitForURL('**&field=custom_Area');
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByText('"custom_Area": "Hamburg"').waitFor();
    await visitor.leave();
  });

  it('is used for runs, for what cannot be undone, and on the overview', async () => {
    const tenant = await ownTenant();
    await declare(tenant, 'licenses', SEATS);
    const id = await nightlyRun(tenant);
    await laterChanges(tenant);
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn(`/runs/${id}`, tenant.key);
    const panel = page.getByRole('region', { name: 'What changed, by field' });
    await panel.getByText('1 seats to 2 seats').waitFor();
    expect(await panel.getByText('Seats', { exact: true }).getAttribute('title')).toContain('licenses');
    await visitor.inspect('field-labels-run');
    await openDialog(visitor);
    await page.getByRole('heading', { name: '3 conflicts' }).waitFor();
    expect((await conflictsOf(visitor, onPhone))[0]).toBe(
      onPhone
        ? 'acme Seats Before the run: 20 seats Left by the run: 25 seats Now: 30 seats'
        : 'acme Seats 20 seats 25 seats 30 seats',
    );
    await visitor.inspect('field-labels-undo');
    await visitor.open('/');
    await page.getByText('Seats: 25 seats to 30 seats').waitFor();
    await visitor.leave();
  });
});

it('is used in the list of accounts, but not in an export', async () => {
  const tenant = await ownTenant();
  await labelledAccount(tenant);
  const visitor = await browser.visit();
  const { page } = visitor;
  await visitor.signIn('/accounts', tenant.key);
  await page.getByRole('button', { name: 'Columns' }).click();
  const chooser = page.getByRole('dialog', { name: 'Columns' });
  await chooser.getByText('Contract', { exact: true }).waitFor();
  await visitor.inspect('field-labels-columns');
  for (const name of ['Parent', 'Last change', 'Region (custom_Area)']) {
    await chooser.getByLabel('Find a column').fill(name);
    await chooser.getByRole('checkbox', { name, exact: true }).click();
  }
  // The name that systems send finds it, too.
  await chooser.getByLabel('Find a column').fill('custom_reg');
  await chooser.getByRole('checkbox', { name: 'Region (custom_Region)' }).waitFor();
  await page.keyboard.press('Escape');
  const seats = page.getByRole('columnheader', { name: 'Seats' });
  await seats.waitFor();
  expect(await seats.getAttribute('title')).toBe('licenses\nHow many people may use it.');
  await page.getByRole('cell', { name: '1,234 seats' }).waitFor();

  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('combobox', { name: 'Filter by' }).click();
  await page.getByRole('option', { name: 'Seats' }).click();
  await page.getByLabel('Value', { exact: true }).fill('1234');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove filter Seats: 1234 seats' }).waitFor();
  await page.waitForURL('**attribute=licenses%3A1234*');
  await visitor.inspect('field-labels-accounts');

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await saved).createReadStream()) chunks.push(chunk as Buffer);
  const [head] = Buffer.concat(chunks).toString('utf8').split('\r\n');
  expect(head).toContain('licenses,custom_ARR,custom_Area');
  expect(head).not.toContain('Seats');
  await visitor.leave();
});
