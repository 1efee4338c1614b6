import { expect, it } from 'vitest';
import {
  account,
  act,
  chooseField,
  dialogOf,
  press,
  selectPage,
  storeAccounts,
  tenantWithAttributes,
} from './many-page.js';
import { type OwnTenant, request } from './own-tenant.js';
import { memberOf } from './people.js';
import { browserForTests, type Visitor } from './visitor.js';

const browser = browserForTests();

const declare = async ({ key }: OwnTenant, name: string, body: object) =>
  expect((await request(key, 'PUT', `/api/v2/attributes/${name}`, body)).status).toBeLessThan(300);

const field = (visitor: Visitor) => dialogOf(visitor).getByRole('combobox', { name: 'Field' });

/** Selects all accounts and opens the form. */
async function openForm(visitor: Visitor, tenant: OwnTenant): Promise<void> {
  await visitor.signInAs(await memberOf(tenant, 'editor'), '/accounts');
  await selectPage(visitor);
  await act(visitor, 'Set a field');
  await field(visitor).click();
}

it('lists fields by their labels, groups and order, and finds them by the name that systems send', async () => {
  const tenant = await tenantWithAttributes();
  const seats = { label: 'Seats', unit: 'seats', description: 'How many people may use it.' };
  await declare(tenant, 'custom_Seats', { type: 'integer', ...seats, group: 'Contract', position: 2 });
  await declare(tenant, 'custom_ARR', { type: 'decimal', group: 'Contract', position: 1 });
  await storeAccounts(tenant, 2);
  const visitor = await browser.visit();
  const { page } = visitor;
  await openForm(visitor, tenant);
  const options = page.getByRole('listbox').getByRole('option');
  const shown = (await options.allInnerTexts()).filter((text) => text !== 'licenses');
  expect([shown.slice(0, 2), shown.slice(-2)]).toEqual([
    ['Name', 'Parent'],
    ['custom_ARR', 'Seats'],
  ]);
  await page.getByText('Contract', { exact: true }).waitFor();
  await field(visitor).fill('custom_sea');
  await expect.poll(() => options.allInnerTexts()).toEqual(['Seats']);
  await options.click();
  await dialogOf(visitor).getByText('How many people may use it.').waitFor();
  await dialogOf(visitor).getByLabel('Value (seats)', { exact: true }).fill('7');
  await visitor.inspect('many-field-unit');
  await press(visitor, 'Preview');
  await press(visitor, 'Change 2 accounts');
  await dialogOf(visitor).getByText('2 accounts were changed.').waitFor();
  expect(await account(tenant, 'a-1')).toMatchObject({ fields: { custom_Seats: 7 } });
  await visitor.leave();
});

it('does not offer fields that another source owns', async () => {
  const tenant = await tenantWithAttributes();
  await request(tenant.key, 'PUT', '/api/v2/sources/first', { label: 'Salesforce' });
  const owner = { source: 'first', others: 'reject' };
  await declare(tenant, 'custom_ARR', { type: 'decimal', label: 'Revenue', owner });
  await declare(tenant, 'name', { type: 'text', owner });
  await storeAccounts(tenant, 1);
  const visitor = await browser.visit();
  const { page } = visitor;
  await openForm(visitor, tenant);
  for (const label of ['Name', 'Revenue']) {
    const option = page.getByRole('option', { name: `${label} Owned by Salesforce` });
    await option.waitFor();
    expect(await option.getAttribute('data-combobox-disabled')).toBe('true');
  }
  await visitor.leave();
});

it('takes a value, and no empty one: clearing is another choice', async () => {
  const tenant = await tenantWithAttributes();
  await declare(tenant, 'custom_Called_At', { type: 'datetime' });
  await storeAccounts(tenant, 1, { custom_Tier: 'gold' });
  const visitor = await browser.visit({ timeZone: 'Europe/Berlin' });
  await openForm(visitor, tenant);
  await chooseField(visitor, 'Parent');
  await dialogOf(visitor).getByText('The id of the parent account.', { exact: true }).waitFor();
  await chooseField(visitor, 'custom_Tier');
  const tier = dialogOf(visitor).getByLabel('Value', { exact: true });
  const choices = tier.getByRole('option');
  expect(await choices.allInnerTexts()).toEqual(['Select', 'silver', 'gold']);
  expect(await choices.first().isDisabled()).toBe(true);
  await press(visitor, 'Preview');
  await dialogOf(visitor).getByText('Enter a value completely, or choose Clear the value.').waitFor();

  await chooseField(visitor, 'custom_Called_At');
  await dialogOf(visitor).getByLabel('Value', { exact: true }).fill('2021-05-31T23:30:15');
  await press(visitor, 'Preview');
  await dialogOf(visitor).getByText('1 Jun 2021, 01:30:15 (31 May 2021, 23:30:15 UTC)').waitFor();
  await visitor.inspect('many-preview-time');
  await visitor.leave();
});
