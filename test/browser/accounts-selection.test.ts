import { expect, it } from 'vitest';
import { act, barOf, select, selectPage, storeAccounts, tenantWithAttributes } from './many-page.js';
import { browserForTests, WIDTHS } from './visitor.js';

const browser = browserForTests();

it.each(WIDTHS)('says that one of all that match was left out, %o', async ({ onPhone }) => {
  const tenant = await tenantWithAttributes();
  await storeAccounts(tenant, 60);
  const visitor = await browser.visit({ onPhone });
  const { page } = visitor;
  await visitor.signIn('/accounts', tenant.key);
  await page.getByText('1–50 of 60').waitFor();
  await selectPage(visitor);
  await act(visitor, 'Select all 60 accounts');
  await barOf(visitor).getByText('60 accounts selected').waitFor();
  await page.getByRole('checkbox', { name: 'Select Company 001', exact: true }).uncheck();
  await barOf(visitor).getByText('49 accounts selected').waitFor();
  const notice = barOf(visitor).getByText('No longer all 60 that match');
  await notice.waitFor();
  await visitor.inspect('many-narrowed');
  await act(visitor, 'Clear selection');
  await select(visitor, 'Company 001');
  await barOf(visitor).getByText('1 account selected').waitFor();
  expect(await notice.count()).toBe(0);
  await visitor.leave();
});

it('has the rows between two with Shift, in either direction', async () => {
  const tenant = await tenantWithAttributes();
  await storeAccounts(tenant, 8);
  const visitor = await browser.visit();
  const box = (n: number) =>
    visitor.page.getByRole('checkbox', { name: `Select Company 00${n}`, exact: true });
  await visitor.signIn('/accounts', tenant.key);
  await box(5).click();
  await box(2).click({ modifiers: ['Shift'] });
  await barOf(visitor).getByText('4 accounts selected').waitFor();
  expect(await visitor.page.evaluate('String(getSelection())')).toBe('');
  await box(3).click();
  await box(4).click({ modifiers: ['Shift'] });
  await barOf(visitor).getByText('2 accounts selected').waitFor();
  expect(await box(5).isChecked()).toBe(true);
  await visitor.leave();
});
