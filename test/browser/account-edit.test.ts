import { describe, expect, it } from 'vitest';
import {
  ATTRIBUTES,
  acme,
  actionOf,
  buttonOf,
  changesIn,
  dialogOf,
  editTenant,
  fieldOf,
  openAsEditor,
  openForm,
  patch,
  review,
  VALUES,
} from './edit-page.js';
import { type OwnTenant, request } from './own-tenant.js';
import { memberOf } from './people.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

const focused = ({ page }: Visitor) =>
  page.evaluate<string>('document.activeElement.name || document.activeElement.innerText');

async function declare({ key }: OwnTenant, name: string, body: object): Promise<void> {
  expect((await request(key, 'PUT', `/api/v2/attributes/${name}`, body)).status).toBeLessThan(300);
}

/** The source billing owns `custom_Mrr`, and the values of others are rejected; and `custom_Seats`: they are kept. */
async function ownedByBilling(tenant: OwnTenant): Promise<void> {
  const { key } = tenant;
  await request(key, 'PUT', '/api/v2/sources/billing', { label: 'Billing' });
  const owner = (others: string) => ({ owner: { source: 'billing', others } });
  await declare(tenant, 'custom_Mrr', { ...ATTRIBUTES.custom_Mrr, ...owner('reject') });
  await declare(tenant, 'custom_Seats', { ...ATTRIBUTES.custom_Seats, ...owner('keep') });
}

describe.each(WIDTHS)('the form of an account, %o', ({ onPhone }) => {
  it('edits a value of each type, shows from which to which value, and saves', async () => {
    const tenant = await editTenant();
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await openAsEditor(visitor, tenant);
    await openForm(visitor);
    const labels: Record<string, string> = { name: 'Name', parent_account_id: 'Parent' };
    const shown = async (name: string) => [name, await fieldOf(visitor, labels[name] ?? name).inputValue()];
    expect(Object.fromEntries(await Promise.all(Object.keys(VALUES).map(shown)))).toEqual({
      ...VALUES,
      custom_Seats: '25',
      custom_Mrr: '1250.5',
      custom_Is_Valid: 'true',
      custom_Called_At: '2021-05-31T23:30:15',
    });
    expect(await fieldOf(visitor, 'custom_Score').count()).toBe(0);
    await dialogOf(visitor).getByRole('region', { name: 'Not editable fields' }).waitFor();
    await visitor.inspect('account-edit');

    await fieldOf(visitor, 'Name').fill('Acme Inc.');
    await fieldOf(visitor, 'Parent').fill('');
    await fieldOf(visitor, 'custom_Notes').fill('They renewed late.\nCall them in June.');
    await fieldOf(visitor, 'custom_Seats').fill('9007199254740991');
    await fieldOf(visitor, 'custom_Mrr').fill('0.10');
    await fieldOf(visitor, 'custom_Is_Valid').selectOption('No');
    await fieldOf(visitor, 'custom_Signed_On').fill('2024-02-29');
    await fieldOf(visitor, 'custom_Called_At').fill('2024-02-29T08:15:30');
    await fieldOf(visitor, 'custom_Tier').selectOption('No value');
    await review(visitor);
    expect((await changesIn(visitor)).sort()).toEqual([
      'Name Acme to Acme Inc.',
      'Parent acme-group to – no value',
      'custom_Called_At 1 Jun 2021, 01:30:15 31 May 2021, 23:30:15 UTC to 29 Feb 2024, 09:15:30 29 Feb 2024, 08:15:30 UTC',
      'custom_Is_Valid Yes to No',
      'custom_Mrr 1,250.5 to 0.1',
      'custom_Notes They renewed early. Call them in May. to They renewed late. Call them in June.',
      'custom_Seats 25 to 9,007,199,254,740,991',
      'custom_Signed_On 31 May 2021 to 29 Feb 2024',
      'custom_Tier silver to – no value',
    ]);
    await visitor.inspect('account-edit-review');
    expect(await acme(tenant)).toMatchObject({ name: 'Acme', revision: 1 });

    await buttonOf(visitor, 'Save').click();
    await dialogOf(visitor).waitFor({ state: 'detached' });
    await page.getByRole('status').getByText('Saved.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Acme Inc.' }).waitFor();
    await expect.poll(() => focused(visitor)).toBe('Edit');
    await visitor.inspect('account-edit-saved');
    const { name, parent_account_id, fields } = await acme(tenant);
    expect([name, parent_account_id, fields]).toEqual([
      'Acme Inc.',
      null,
      {
        custom_Notes: 'They renewed late.\nCall them in June.',
        custom_Seats: 9_007_199_254_740_991,
        custom_Mrr: 0.1,
        custom_Is_Valid: false,
        custom_Signed_On: '2024-02-29',
        custom_Called_At: '2024-02-29T08:15:30.000Z',
        custom_Undeclared: { a: [1] },
      },
    ]);
    await page.getByRole('tab', { name: 'History' }).click();
    const entry = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'Kim Poe' });
    await entry.getByRole('link', { name: /^run \d+$/ }).click();
    await page.getByRole('heading', { level: 1, name: /^Run \d+ of Console$/ }).waitFor();
    await actionOf(visitor, 'Undo').waitFor();
    await visitor.leave();
  });

  it('says at a field what to enter, and says if nothing would change', async () => {
    const tenant = await editTenant();
    await ownedByBilling(tenant);
    const visitor = await browser.visit({ onPhone });
    await openAsEditor(visitor, tenant);
    await openForm(visitor);
    expect(await fieldOf(visitor, 'custom_Mrr').isDisabled()).toBe(true);
    expect(await fieldOf(visitor, 'custom_Seats').isDisabled()).toBe(true);
    expect(await dialogOf(visitor).getByText('Owned by Billing').count()).toBe(2);
    await review(visitor);
    await dialogOf(visitor).getByText('You have not changed anything yet.').waitFor();

    await fieldOf(visitor, 'Parent').fill('ACME');
    await fieldOf(visitor, 'Name').fill('x'.repeat(192));
    await review(visitor);
    await dialogOf(visitor).getByText('Enter at most 191 characters.').waitFor();
    await dialogOf(visitor).getByText('An account cannot be its own parent.').waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
    expect(await focused(visitor)).toBe('name');
    expect(await fieldOf(visitor, 'Name').getAttribute('aria-invalid')).toBe('true');
    await visitor.inspect('account-edit-messages');

    await buttonOf(visitor, 'Show 3 fields without a value').click();
    await fieldOf(visitor, 'licenses').fill('many');
    await review(visitor);
    await dialogOf(visitor).getByText('Enter a whole number, such as 25.').waitFor();
    expect(await dialogOf(visitor).getByText('has invalid').count()).toBe(0);
    visitor.takeProblems();
    await fieldOf(visitor, 'licenses').fill('');

    await fieldOf(visitor, 'Name').fill('Acme');
    await fieldOf(visitor, 'Parent').fill(' ACME-group ');
    await review(visitor);
    await dialogOf(visitor).getByText('This changes nothing').waitFor();
    expect(await buttonOf(visitor, 'Save').count()).toBe(0);
    await visitor.inspect('account-edit-unchanged');
    await buttonOf(visitor, 'Back').click();
    expect(await fieldOf(visitor, 'Parent').inputValue()).toBe(' ACME-group ');
    await visitor.leave();
  });
});

describe('the form of an account', () => {
  it('is used with the keyboard only', async () => {
    const tenant = await editTenant();
    const visitor = await browser.visit();
    const { page } = visitor;
    await openAsEditor(visitor, tenant);
    await actionOf(visitor, 'Edit').press('Enter');
    await expect.poll(() => focused(visitor)).toBe('name');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Acme Inc.');
    while ((await focused(visitor)) !== 'custom_Tier') await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    while ((await focused(visitor)) !== 'Review change') await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(visitor)).toBe('Review change');
    expect(await changesIn(visitor)).toEqual(['Name Acme to Acme Inc.', 'custom_Tier silver to gold']);
    await page.keyboard.press('Tab');
    expect(await focused(visitor)).toBe('Back');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(visitor)).toBe('name');
    await page.keyboard.press('Enter');
    await buttonOf(visitor, 'Save').press('Enter');
    await dialogOf(visitor).waitFor({ state: 'detached' });
    await expect.poll(() => focused(visitor)).toBe('Edit');
    expect(await acme(tenant)).toMatchObject({ name: 'Acme Inc.', fields: { custom_Tier: 'gold' } });
    await visitor.leave();
  });

  it('asks before unsaved changes are lost: by Escape, the back button, or closing the page', async () => {
    const tenant = await editTenant();
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signInAs(await memberOf(tenant, 'editor'), '/accounts');
    await page.getByRole('link', { name: 'Acme', exact: true }).click();
    await openForm(visitor);
    await page.keyboard.press('Escape');
    await dialogOf(visitor).waitFor({ state: 'detached' });

    await openForm(visitor);
    await fieldOf(visitor, 'Name').fill('Acme Inc.');
    await page.keyboard.press('Escape');
    await dialogOf(visitor).getByText('Your changes are not saved.').waitFor();
    expect(await focused(visitor)).toBe('Keep editing');
    await visitor.inspect('account-edit-leave');
    await page.keyboard.press('Enter');
    expect(await focused(visitor)).toBe('name');
    await page.goBack();
    await dialogOf(visitor).getByText('Your changes are not saved.').waitFor();
    await buttonOf(visitor, 'Keep editing').click();
    const asked = page.waitForEvent('dialog');
    const closing = page.close({ runBeforeUnload: true });
    await (await asked).dismiss();
    await closing;
    expect(await fieldOf(visitor, 'Name').inputValue()).toBe('Acme Inc.');
    await buttonOf(visitor, 'Cancel').click();
    await buttonOf(visitor, 'Discard changes').click();
    await dialogOf(visitor).waitFor({ state: 'detached' });
    expect(await acme(tenant)).toMatchObject({ name: 'Acme', revision: 1 });
    expect(new URL(page.url()).pathname).toBe('/console/accounts/acme');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    await visitor.leave();
  });

  it('finds a field among many, also one without a value, and takes no part of a date', async () => {
    const tenant = await editTenant();
    for (let n = 1; n <= 6; n += 1) await declare(tenant, `custom_Region_${n}`, { type: 'text' });
    await declare(tenant, 'custom_Renewal', { type: 'date', label: 'Day of renewal' });
    const visitor = await browser.visit();
    const { page } = visitor;
    await openAsEditor(visitor, tenant);
    await actionOf(visitor, 'Edit').press('Enter');
    await dialogOf(visitor).getByLabel('Find a field').fill('of renewal');
    const day = fieldOf(visitor, 'Day of renewal');
    await day.waitFor();
    expect(await fieldOf(visitor, 'Name').isVisible()).toBe(false);
    await day.press('1');
    // A field that the search hides keeps what was entered, and is shown when it is incomplete.
    await dialogOf(visitor).getByLabel('Find a field').fill('custom_Region');
    expect(await day.isVisible()).toBe(false);
    await review(visitor);
    await dialogOf(visitor).getByText('Enter the date completely, or clear it.').waitFor();
    expect(await focused(visitor)).toBe('custom_Renewal');
    await visitor.inspect('account-edit-search');
    await day.fill('2027-01-31');
    await dialogOf(visitor).getByLabel('Find a field').fill('');
    await page.route('**/accounts/acme?dry_run=true', (route) => {
      const errors = [{ pointer: '/body/fields/custom_Renewal', detail: 'is too late' }];
      return route.fulfill({ status: 400, json: { detail: 'The request is not valid.', errors } });
    });
    await review(visitor);
    await dialogOf(visitor).getByText('Is too late.').waitFor();
    expect(await focused(visitor)).toBe('custom_Renewal');
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
    await visitor.leave();
  });
});

describe.each(WIDTHS)('an account, %o', ({ onPhone }) => {
  it('is archived and restored, unless it was changed meanwhile', async () => {
    const tenant = await editTenant();
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await openAsEditor(visitor, tenant);
    await actionOf(visitor, 'Archive').click();
    await dialogOf(visitor).getByText('Acme is left out of lists').waitFor();
    await visitor.inspect('account-archive');
    await patch(tenant, { name: 'Acme Inc.' });
    await buttonOf(visitor, 'Archive').click();
    await dialogOf(visitor)
      .getByText('The account was changed meanwhile, and is not archived yet.')
      .waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('412')]);
    await visitor.inspect('account-archive-changed');
    await buttonOf(visitor, 'Archive').press('Enter');
    await page.getByRole('status').getByText('Archived.').waitFor();
    await page.getByText(/^Archived since \d/).waitFor();
    expect((await acme(tenant)).archived_at).not.toBeNull();
    await visitor.inspect('account-archived-here');

    await openForm(visitor);
    await fieldOf(visitor, 'custom_Seats').fill('1');
    await review(visitor);
    await buttonOf(visitor, 'Save').click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    expect((await acme(tenant)).archived_at).not.toBeNull();
    await actionOf(visitor, 'Restore').click();
    await buttonOf(visitor, 'Restore').click();
    await page.getByRole('status').getByText('Restored.').waitFor();
    await page.getByText(/^Archived since/).waitFor({ state: 'detached' });
    expect(await acme(tenant)).toMatchObject({ archived_at: null, fields: { custom_Seats: 1 } });
    await visitor.leave();
  });
});

it('is not edited by a viewer, and by a key only where its source may', async () => {
  const tenant = await editTenant();
  await ownedByBilling(tenant);
  const viewer = await browser.visit();
  await viewer.signInAs(await memberOf(tenant, 'viewer'), '/accounts/acme');
  await viewer.page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor();
  for (const name of ['Edit', 'Archive', 'Delete']) expect(await actionOf(viewer, name).count()).toBe(0);
  await viewer.leave();

  const body = { label: 'billing', source: 'billing', scopes: ['sync', 'read'] };
  const { key } = (await request(tenant.key, 'POST', '/api/v2/keys', body)).body;
  const machine = await browser.visit();
  await machine.signIn('/accounts/acme', key);
  await openForm(machine);
  expect(await fieldOf(machine, 'custom_Mrr').isDisabled()).toBe(false);
  await fieldOf(machine, 'custom_Mrr').fill('7');
  await review(machine);
  expect(await changesIn(machine)).toEqual(['custom_Mrr 1,250.5 to 7']);
  await machine.leave();
});

it('names fields that keep their value, because another source began to own them', async () => {
  const tenant = await editTenant();
  const visitor = await browser.visit();
  await openAsEditor(visitor, tenant);
  await openForm(visitor);
  await fieldOf(visitor, 'custom_Seats').fill('26');
  await fieldOf(visitor, 'Name').fill('Acme Inc.');
  await ownedByBilling(tenant);
  // A changed owner applies within a second.
  const kept = async () => {
    const query = '/api/v2/accounts/acme?dry_run=true';
    const edit = { fields: { custom_Seats: 1 } };
    return (await request(tenant.key, 'PATCH', query, edit, { 'if-match': '*' })).body.kept;
  };
  await expect.poll(kept).toEqual(['custom_Seats']);
  await review(visitor);
  expect(await changesIn(visitor)).toEqual(['Name Acme to Acme Inc.']);
  await dialogOf(visitor)
    .getByText('Not changed, because another source owns the field: custom_Seats.')
    .waitFor();
  await visitor.inspect('account-edit-kept');
  await visitor.leave();
});
