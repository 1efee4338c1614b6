import { describe, expect, it } from 'vitest';
import { ownTenant, request, send } from './own-tenant.js';
import { memberOf, newPerson } from './people.js';
import { browserForTests, WIDTHS } from './visitor.js';

const browser = browserForTests();

describe.each(WIDTHS)('the name of a person, %o', ({ onPhone }) => {
  it('is shown beside what the person has sent and undone', async () => {
    const tenant = await ownTenant();
    await send(tenant.key, { account_id: 'acme', name: 'Acme' });
    const first = (await request(tenant.key, 'GET', '/api/v2/runs')).body.data[0].id;
    await request(tenant.key, 'POST', `/api/v2/runs/${first}/finish`);
    const person = await memberOf(tenant, 'editor');
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signInAs(person, '/try');
    const records = [
      { account_id: 'globex', name: 'Globex' },
      { account_id: 'globex', licenses: 'many' },
    ];
    await page.getByRole('textbox', { name: 'Records' }).fill(JSON.stringify(records));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('1 created, 1 rejected.').waitFor();

    await visitor.open('');
    const changes = page.getByRole('region', { name: 'Latest changes' });
    await changes.getByText(/^Created by Kim Poe, run \d+ · Name: Globex$/).waitFor();
    await visitor.inspect('names-overview');
    await changes.getByRole('link', { name: /^run / }).first().click();
    await page.getByRole('heading', { level: 1, name: /^Run .* of Console$/ }).waitFor();
    await page.getByRole('main').getByText('Kim Poe', { exact: true }).waitFor();
    await visitor.inspect('names-run');

    await visitor.open('/accounts/globex');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText(/^Revision 1 · Console, run \d+ · Kim Poe · request /).waitFor();
    await visitor.inspect('names-history');

    await visitor.open('/rejections');
    await page.getByText('· 1 sender').first().waitFor();
    const senders = page.getByLabel('Key or person');
    expect(await senders.locator('option').allTextContents()).toEqual(['All', 'Kim Poe']);
    await senders.selectOption({ label: 'Kim Poe' });
    await page
      .getByRole('button', { name: /licenses/ })
      .first()
      .click();
    await page.getByText(/^Console, run \d+ · Kim Poe · /).waitFor();
    await visitor.inspect('names-rejections');

    // An editor undoes a run of another source.
    await visitor.open(`/runs/${first}`);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: `Undo run ${first}` }).click();
    await dialog.getByText(`Run ${first} is undone.`).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await visitor.open('/runs');
    await page.getByText(`Kim Poe · Undo of ${first} · 1 archived`).waitFor();
    await visitor.inspect('names-runs');
    await visitor.leave();
  });

  it('is in the audit log, also after the person was removed', async () => {
    const tenant = await ownTenant();
    const person = await memberOf(tenant, 'admin', newPerson('Ada Lovelace'));
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signInAs(person, '/settings/blocked-ids');
    await page.getByLabel('Id or suffix').fill('*.test');
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByText('*.test').first().waitFor();
    await visitor.leave();
    const [{ id }] = (await request(tenant.key, 'GET', '/api/v2/users')).body.data;
    await request(tenant.key, 'DELETE', `/api/v2/users/${id}`);

    const other = await browser.visit({ onPhone });
    await other.signIn('/settings/audit', tenant.key);
    const entry = other.page
      .getByRole('list', { name: 'Changes' })
      .getByRole('listitem')
      .filter({ hasText: '*.test blocked' });
    await entry.getByText(/ by Ada Lovelace, request /).waitFor();
    await other.page.getByText(`${person.email} removed (was admin)`).waitFor();
    await other.inspect('names-audit');
    await other.leave();
  });
});
