import { describe, expect, it } from 'vitest';
import {
  acme,
  buttonOf,
  changesIn,
  dialogOf,
  editTenant,
  fieldOf,
  openAsEditor,
  openForm,
  patch,
  review,
} from './edit-page.js';
import { request, send } from './own-tenant.js';
import { browserForTests, WIDTHS } from './visitor.js';

const browser = browserForTests();

describe.each(WIDTHS)('an edit of an account that is changed meanwhile, %o', ({ onPhone }) => {
  it('shows the changes of others, keeps the own ones, and overwrites nothing unseen', async () => {
    const tenant = await editTenant();
    const visitor = await browser.visit({ onPhone });
    await openAsEditor(visitor, tenant);
    await openForm(visitor);
    await fieldOf(visitor, 'custom_Seats').fill('30');
    await fieldOf(visitor, 'custom_Notes').fill('Called.');
    await send(tenant.key, { account_id: 'acme', custom_Seats: 27 });
    await send(tenant.key, { account_id: 'acme', custom_Tier: 'gold', name: 'Acme Inc.' });
    await review(visitor);

    const entries = dialogOf(visitor).getByRole('list', { name: 'Changes meanwhile' }).getByRole('listitem');
    await entries.first().waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('412')]);
    const texts = (await entries.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(texts).toEqual([
      expect.stringMatching(/^Updated just now Revision 3 .*first.*custom_Tier silver to gold/),
      expect.stringMatching(/^Updated just now Revision 2 .*custom_Seats 25 to 27$/),
    ]);
    const both = dialogOf(visitor).getByRole('region', { name: 'You have changed these fields, too' });
    expect((await both.locator('dl').innerText()).replace(/\s+/g, ' ')).toBe('custom_Seats 27 to 30');
    await visitor.inspect('account-edit-conflict');

    await buttonOf(visitor, 'Continue with the current values').click();
    expect(await fieldOf(visitor, 'Name').inputValue()).toBe('Acme Inc.');
    expect(await fieldOf(visitor, 'custom_Tier').inputValue()).toBe('gold');
    expect(await fieldOf(visitor, 'custom_Seats').inputValue()).toBe('30');
    await dialogOf(visitor).getByText('Changed by others meanwhile, from 25 to 27.').waitFor();
    expect(await visitor.page.locator(':focus').getAttribute('name')).toBe('custom_Seats');
    await visitor.inspect('account-edit-continued');

    // Once more, while the review is open.
    await review(visitor);
    expect(await changesIn(visitor)).toEqual([
      'custom_Notes They renewed early. Call them in May. to Called.',
      'custom_Seats 27 to 30',
    ]);
    await patch(tenant, { fields: { custom_Mrr: 2 } });
    await buttonOf(visitor, 'Save').click();
    await dialogOf(visitor).getByText('No field that you have changed is among them.').waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('412')]);
    await buttonOf(visitor, 'Continue with the current values').click();
    await buttonOf(visitor, 'Use the current value of custom_Seats').click();
    expect(await fieldOf(visitor, 'custom_Seats').inputValue()).toBe('27');
    expect(await visitor.page.locator(':focus').getAttribute('name')).toBe('custom_Seats');
    await review(visitor);
    expect(await changesIn(visitor)).toEqual([
      'custom_Notes They renewed early. Call them in May. to Called.',
    ]);
    await buttonOf(visitor, 'Save').click();
    await dialogOf(visitor).waitFor({ state: 'detached' });
    expect(await acme(tenant)).toMatchObject({
      revision: 5,
      name: 'Acme Inc.',
      fields: { custom_Notes: 'Called.', custom_Seats: 27, custom_Tier: 'gold', custom_Mrr: 2 },
    });
    await visitor.leave();
  });
});

it('does not lose what is entered when the page reads the account again', async () => {
  const tenant = await editTenant();
  const visitor = await browser.visit();
  const { page } = visitor;
  await page.clock.install();
  await openAsEditor(visitor, tenant);
  await openForm(visitor);
  await fieldOf(visitor, 'custom_Notes').fill('Called.');
  await patch(tenant, { name: 'Acme Inc.' });
  const polled = page.waitForResponse(async (response) => {
    if (!response.url().endsWith('/accounts/acme')) return false;
    return (await response.json()).name === 'Acme Inc.';
  });
  await page.clock.runFor(16_000);
  await polled;
  await page.getByText('Revision 2', { exact: true }).waitFor({ state: 'attached' });
  expect(await fieldOf(visitor, 'custom_Notes').inputValue()).toBe('Called.');
  expect(await fieldOf(visitor, 'Name').inputValue()).toBe('Acme');
  await review(visitor);
  await dialogOf(visitor).getByText('No field that you have changed is among them.').waitFor();
  expect(visitor.takeProblems()).toEqual([expect.stringContaining('412')]);
  await visitor.leave();
});

describe.each(WIDTHS)('messages of the form, %o', ({ onPhone }) => {
  it('are at its buttons, and tell of a deletion without losing what is entered', async () => {
    const tenant = await editTenant();
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await openAsEditor(visitor, tenant);
    await openForm(visitor);
    await review(visitor);
    const message = dialogOf(visitor).getByText('You have not changed anything yet.');
    await message.waitFor();
    const { y = 0, height = 0 } = (await message.boundingBox()) ?? {};
    const button = await buttonOf(visitor, 'Review change').boundingBox();
    expect(y + height).toBeLessThanOrEqual(button?.y ?? 0);
    expect((button?.y ?? 0) - y).toBeLessThan(80);
    await visitor.inspect('account-edit-nothing-changed');

    await fieldOf(visitor, 'custom_Notes').fill('Called.');
    await request(tenant.key, 'DELETE', '/api/v2/accounts/acme');
    await review(visitor);
    await dialogOf(visitor).getByText('The account was deleted meanwhile').waitFor();
    await page.getByText('This account was deleted').waitFor();
    expect(visitor.takeProblems()).toContainEqual(expect.stringContaining('404'));
    expect(await fieldOf(visitor, 'custom_Notes').inputValue()).toBe('Called.');
    await visitor.inspect('account-edit-deleted');
    await buttonOf(visitor, 'Cancel').click();
    await buttonOf(visitor, 'Discard changes').click();
    await dialogOf(visitor).waitFor({ state: 'detached' });
    await visitor.leave();
  });
});

it('opens links beside the form, so that nothing is lost', async () => {
  const tenant = await editTenant();
  const visitor = await browser.visit();
  const { page } = visitor;
  await openAsEditor(visitor, tenant);
  await openForm(visitor);
  await fieldOf(visitor, 'custom_Notes').fill('Called.');
  await send(tenant.key, { account_id: 'acme', custom_Seats: 27 });
  await review(visitor);
  const link = dialogOf(visitor).getByRole('link', { name: /^run \d+$/ });
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await opened.getByRole('heading', { level: 1, name: /^Run \d+ of first$/ }).waitFor();
  expect(visitor.takeProblems()).toEqual([expect.stringContaining('412')]);
  await buttonOf(visitor, 'Continue with the current values').click();
  expect(await fieldOf(visitor, 'custom_Notes').inputValue()).toBe('Called.');
  await visitor.leave();
});
