import { describe, expect, it } from 'vitest';
import {
  ATTRIBUTES,
  acme,
  buttonOf,
  dialogOf,
  editTenant,
  fieldOf,
  openAsEditor,
  openForm,
  review,
} from './edit-page.js';
import { type OwnTenant, request, send } from './own-tenant.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

async function declare({ key }: OwnTenant, name: string, body: object): Promise<void> {
  expect((await request(key, 'PUT', `/api/v2/attributes/${name}`, body)).status).toBeLessThan(300);
}

const groupOf = (visitor: Visitor, name: string) =>
  dialogOf(visitor).getByRole('group', { name, exact: true });

describe.each(WIDTHS)('the groups of the form, %o', ({ onPhone }) => {
  it('are those of the page, and are found by their name; a read-only field is named', async () => {
    const tenant = await editTenant();
    await declare(tenant, 'custom_Mrr', { ...ATTRIBUTES.custom_Mrr, label: 'Revenue', group: 'Contract' });
    await declare(tenant, 'custom_Tier', { ...ATTRIBUTES.custom_Tier, group: 'Contract' });
    for (let n = 1; n <= 6; n += 1) await declare(tenant, `custom_Region_${n}`, { type: 'text' });
    const visitor = await browser.visit({ onPhone });
    await openAsEditor(visitor, tenant);
    await openForm(visitor);
    const legends = dialogOf(visitor).locator('legend:visible');
    expect(await legends.allInnerTexts()).toEqual(['Identity', 'Standard', 'Custom', 'Contract']);
    expect(await groupOf(visitor, 'Contract').getByRole('textbox').count()).toBe(1);
    await visitor.inspect('account-edit-groups');

    const search = dialogOf(visitor).getByLabel('Find a field');
    await search.fill('contract');
    expect(await legends.allInnerTexts()).toEqual(['Contract']);
    await fieldOf(visitor, 'Revenue').waitFor();
    await search.fill('score');
    await dialogOf(visitor)
      .getByText('Read-only, so only on the page of the account: custom_Score.')
      .waitFor();
    await visitor.inspect('account-edit-read-only');
    await search.fill('no such field');
    await dialogOf(visitor).getByText('No field or group has this in its name.').waitFor();
    await visitor.leave();
  });
});

describe.each(WIDTHS)('a parent that does not exist, %o', ({ onPhone }) => {
  it('is pointed out before it is stored, and on the page who has set it', async () => {
    const tenant = await editTenant();
    await send(tenant.key, { account_id: 'beta', parent_account_id: 'beta-group' });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await openAsEditor(visitor, tenant);
    await openForm(visitor);
    await fieldOf(visitor, 'Parent').fill('acme-grup');
    await review(visitor);
    await dialogOf(visitor).getByText('No account has the id acme-grup.').waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('404')]);
    await visitor.inspect('account-edit-missing-parent');
    await buttonOf(visitor, 'Save').click();
    await page.getByText('correct the parent id: it was set in the console.').waitFor();
    expect((await acme(tenant)).parent_account_id).toBe('acme-grup');
    // The review may have asked for the parent once more when the edit was stored.
    visitor.takeProblems();
    await visitor.inspect('account-missing-parent');

    await openForm(visitor);
    await fieldOf(visitor, 'Parent').fill('beta');
    await review(visitor);
    await dialogOf(visitor).getByRole('heading', { name: 'Review change' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await dialogOf(visitor).getByText('The parent does not exist yet').count()).toBe(0);
    await visitor.open('/accounts/beta');
    await page.getByText('check the parent id in the system that sends beta.').waitFor();
    await visitor.leave();
  });
});
