import { describe, expect, it } from 'vitest';
import {
  acme,
  actionOf,
  buttonOf,
  dialogOf,
  editTenant,
  fieldOf,
  openAsEditor,
  openForm,
  patch,
  review,
} from './edit-page.js';
import { type OwnTenant, request } from './own-tenant.js';
import { memberOf } from './people.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

const countsOf = async (visitor: Visitor) =>
  (await dialogOf(visitor).locator('dl').first().innerText()).replace(/\s+/g, ' ');
const historyOf = ({ page }: Visitor) => page.getByRole('tabpanel').getByRole('listitem');

/** One request that changes acme and creates another account, in a run that is still open. */
async function pushTwo({ key }: OwnTenant): Promise<void> {
  const records = [
    { account_id: 'acme', custom_Seats: 99 },
    { account_id: 'beta', name: 'Beta' },
  ];
  expect((await request(key, 'POST', '/api/v1_1/accounts', records)).status).toBe(200);
}

describe.each(WIDTHS)('the undo on the page of an account, %o', ({ onPhone }) => {
  it('takes back the edit that was just saved, and no other edit of the same open run', async () => {
    const tenant = await editTenant();
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await openAsEditor(visitor, tenant);
    await openForm(visitor);
    await fieldOf(visitor, 'custom_Seats').fill('30');
    await review(visitor);
    await buttonOf(visitor, 'Save').click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    await openForm(visitor);
    await fieldOf(visitor, 'custom_Notes').fill('Called.');
    await review(visitor);
    await buttonOf(visitor, 'Save').click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    await visitor.inspect('account-undo-note');

    await actionOf(visitor, 'Undo…').click();
    await page.getByRole('dialog', { name: /^Undo one request of run \d+$/ }).waitFor();
    await dialogOf(visitor)
      .getByText('The undo takes back the whole request (1 change), and changes 1 account:')
      .waitFor();
    await dialogOf(visitor).getByText('Fields get back their values before the request').waitFor();
    expect(await countsOf(visitor)).toBe('Updated 1 Archived 0 Restored 0 Conflicts 0');
    await visitor.inspect('account-undo-preview');
    await buttonOf(visitor, 'Undo request').click();
    await dialogOf(visitor).getByText('The request is undone. The undo is itself a run').waitFor();
    await visitor.inspect('account-undo-result');
    await buttonOf(visitor, 'Close').last().click();
    await page.getByRole('status').getByText('The change is undone.').waitFor();
    expect(await page.locator(':focus').innerText()).toBe('The change is undone.');
    expect((await acme(tenant)).fields).toMatchObject({
      custom_Seats: 30,
      custom_Notes: 'They renewed early.\nCall them in May.',
    });
    await visitor.leave();
  });

  it('takes back the request of an entry of the history, and says how many accounts that changes', async () => {
    const tenant = await editTenant();
    await pushTwo(tenant);
    await patch(tenant, { fields: { custom_Seats: 100, custom_Mrr: 3 } });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signInAs(await memberOf(tenant, 'editor'), '/accounts/acme?tab=history');
    const undo = page.getByRole('button', { name: 'Undo… revision 2' });
    await undo.waitFor();
    await visitor.inspect('account-undo-history');
    await undo.click();
    await dialogOf(visitor)
      .getByText('The undo takes back the whole request (2 changes), and changes 1 account:')
      .waitFor();
    await dialogOf(visitor).getByRole('heading', { name: '1 conflict' }).waitFor();
    await dialogOf(visitor).getByText('Left by the request').first().waitFor();
    await visitor.inspect('account-undo-history-preview');
    await buttonOf(visitor, 'Undo request').click();
    await dialogOf(visitor).getByText('The request is undone, except for 1 conflict.').waitFor();
    await buttonOf(visitor, 'Close').last().click();
    await dialogOf(visitor).waitFor({ state: 'detached' });
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Undo… revision 2');
    expect((await request(tenant.key, 'GET', '/api/v2/accounts/beta')).body.archived_at).not.toBeNull();
    await visitor.leave();
  });
});

it('is not offered to viewers, nor for a change whose values are deleted', async () => {
  const tenant = await editTenant();
  const viewer = await browser.visit();
  await viewer.signInAs(await memberOf(tenant, 'viewer'), '/accounts/acme?tab=history');
  await historyOf(viewer).first().waitFor();
  expect(await viewer.page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
  await viewer.leave();

  await request(tenant.key, 'DELETE', '/api/v2/accounts/acme');
  const editor = await browser.visit();
  await editor.signInAs(await memberOf(tenant, 'editor'), '/accounts/acme');
  await editor.page.getByText('History without values').waitFor();
  await editor.page.getByRole('listitem').filter({ hasText: 'Deleted' }).first().waitFor();
  expect(await editor.page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
  expect(editor.takeProblems()).toContainEqual(expect.stringContaining('404'));
  await editor.leave();
});
