import { describe, expect, inject, it } from 'vitest';
import { keyFor, type OwnTenant, ownTenant, request, send } from './own-tenant.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

/** A finished run that updates two accounts and creates three. */
async function nightlyRun(tenant: OwnTenant): Promise<string> {
  const { key } = tenant;
  await send(key, { account_id: 'acme', licenses: 20, name: 'Acme' });
  await send(key, { account_id: 'beta', licenses: 1 });
  const { id } = (await request(key, 'POST', '/api/v2/runs')).body;
  const records = [
    { account_id: 'acme', licenses: 25, name: 'Acme Inc' },
    { account_id: 'beta', licenses: 2 },
    ...['new-1', 'new-2', 'gone'].map((account_id) => ({
      account_id,
      licenses: 5,
      name: `Company ${account_id}`,
    })),
  ];
  await request(key, 'POST', '/api/v1_1/accounts', records, { 'account-sync-run': id });
  await request(key, 'POST', `/api/v2/runs/${id}/finish`);
  return id;
}

/** Changes of another system after the run: three conflicts. */
async function laterChanges({ key }: OwnTenant): Promise<void> {
  await send(key, { account_id: 'acme', licenses: 30 });
  await send(key, { account_id: 'new-2', custom_note: 'called' });
  await request(key, 'DELETE', '/api/v2/accounts/gone');
}

const account = async ({ key }: OwnTenant, id: string) =>
  (await request(key, 'GET', `/api/v2/accounts/${id}`)).body;

const dialogOf = ({ page }: Visitor) => page.getByRole('dialog');

const countsOf = async (visitor: Visitor) =>
  (await dialogOf(visitor).locator('dl').first().innerText()).replace(/\s+/g, ' ');

const conflictsOf = async (visitor: Visitor, onPhone = false) => {
  const dialog = dialogOf(visitor);
  const rows = onPhone
    ? dialog.getByRole('list', { name: 'Conflicts' }).getByRole('listitem')
    : dialog.getByRole('table', { name: 'Conflicts' }).locator('tbody').getByRole('row');
  return (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')).sort();
};

const openDialog = ({ page }: Visitor, name = 'Undo') =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click();

/** The id of the undo that the dialog shows as complete. */
async function carryOut(visitor: Visitor, id: string): Promise<string> {
  const dialog = dialogOf(visitor);
  await dialog.getByRole('button', { name: `Undo run ${id}` }).click();
  return (await dialog.getByRole('link', { name: /^Run \d+$/ }).innerText()).slice('Run '.length);
}

describe.each(WIDTHS)('the undo of a run, %o', ({ onPhone }) => {
  it('shows a preview with conflicts, then takes back the rest, and archives what the run created', async () => {
    const tenant = await ownTenant();
    const id = await nightlyRun(tenant);
    await laterChanges(tenant);
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn(`/runs/${id}`, tenant.key);
    await openDialog(visitor);
    const dialog = dialogOf(visitor);
    await dialog.getByRole('heading', { name: '3 conflicts' }).waitFor();
    expect(await countsOf(visitor)).toBe('Updated 2 Archived 1 Restored 0 Conflicts 3');
    expect(await conflictsOf(visitor, onPhone)).toEqual(
      onPhone
        ? [
            'acme licenses Before the run: 20 Left by the run: 25 Now: 30',
            'gone The account was deleted since',
            'new-2 The account was changed since',
          ]
        : [
            'acme licenses 20 25 30',
            'gone The account was deleted since',
            'new-2 The account was changed since',
          ],
    );
    await visitor.inspect('undo-preview');
    expect(await account(tenant, 'acme')).toMatchObject({ name: 'Acme Inc' });

    const undoId = await carryOut(visitor, id);
    await dialog.getByText(`Run ${id} is undone, except for 3 conflicts.`).waitFor();
    expect(await page.locator(':focus').innerText()).toBe('Close');
    await visitor.inspect('undo-result');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.locator(':focus').innerText()).toBe('Undo');
    await page.getByText(`Undone by run ${undoId}`).waitFor();
    await visitor.inspect('run-undone');
    expect(await account(tenant, 'acme')).toMatchObject({ name: 'Acme', fields: { licenses: 30 } });

    await page.getByRole('link', { name: `run ${undoId}` }).click();
    await page.getByText(`Undo of run ${id}`).waitFor();
    await page.getByText('of 5 changes').waitFor();
    await page.getByRole('button', { name: /^Show \d+ changes/ }).click();
    await page.getByText('Archived', { exact: true }).last().waitFor();
    await visitor.inspect('run-of-undo');
    await visitor.open('/runs');
    await page.getByText(`Undo of ${id} · 1 archived`).waitFor();
    await visitor.inspect('runs-undo');
    await visitor.leave();
  });

  it('leaves archived accounts that are marked, filtered and counted', async () => {
    const tenant = await ownTenant();
    const id = await nightlyRun(tenant);
    await request(tenant.key, 'POST', `/api/v2/runs/${id}/undo`, {});
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('', tenant.key);
    await page.getByRole('img', { name: /3 archived/ }).waitFor();
    await visitor.inspect('overview-archived');
    await page.getByRole('link', { name: '3 archived' }).click();
    const names = page.getByRole('main').locator('[data-row]');
    await expect
      .poll(() => names.allInnerTexts())
      .toEqual(['Company gone', 'Company new-1', 'Company new-2']);
    expect(await page.getByText('Archived', { exact: true }).count()).toBe(3);
    await visitor.inspect('accounts-archived-only');
    await page.getByRole('button', { name: 'Remove filter Archived: only' }).click();
    await expect.poll(() => names.allInnerTexts()).toEqual(['Acme', 'beta']);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Filter by' }).fill('Archived');
    await page.getByRole('option', { name: 'Archived', exact: true }).click();
    await page.getByRole('button', { name: 'shown', exact: true }).click();
    await page.waitForURL('**/accounts?archived=include');
    await expect.poll(() => names.count()).toBe(5);
    await visitor.inspect('accounts-archived-shown');

    await page.getByRole('link', { name: 'Company new-1' }).click();
    await page.getByText(/^Archived since \d/).waitFor();
    await page.getByText('comes back as soon as a source sends it again').waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    const entries = page.getByRole('tabpanel').getByRole('listitem');
    await entries.filter({ hasText: 'Archived' }).waitFor();
    await visitor.inspect('account-archived');
    await send(tenant.key, { account_id: 'new-1', licenses: 6 });
    await page.reload();
    await entries.filter({ hasText: 'Restored' }).waitFor();
    expect(await page.getByText(/^Archived since/).count()).toBe(0);
    await visitor.inspect('account-restored');
    await visitor.leave();
  });
});

describe('an undo', () => {
  it('takes back conflicts, too, if it is forced', async () => {
    const tenant = await ownTenant();
    const id = await nightlyRun(tenant);
    await laterChanges(tenant);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn(`/runs/${id}`, tenant.key);
    await openDialog(visitor);
    await page.getByLabel('Take back conflicts, too').press('Space');
    await dialogOf(visitor).getByRole('heading', { name: '1 conflict' }).waitFor();
    expect(await page.locator(':focus').getAttribute('type')).toBe('checkbox');
    expect(await conflictsOf(visitor)).toEqual(['gone The account was deleted since']);
    await visitor.inspect('undo-forced');
    await carryOut(visitor, id);
    expect(await account(tenant, 'acme')).toMatchObject({ name: 'Acme', fields: { licenses: 20 } });
    expect((await account(tenant, 'new-2')).archived_at).not.toBeNull();
    await visitor.leave();
  });

  it('can be undone itself', async () => {
    const tenant = await ownTenant();
    const id = await nightlyRun(tenant);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn(`/runs/${id}`, tenant.key);
    await openDialog(visitor);
    const undoId = await carryOut(visitor, id);
    await dialogOf(visitor)
      .getByRole('link', { name: `Run ${undoId}` })
      .click();
    await page.getByRole('heading', { level: 1, name: `Run ${undoId} of first` }).waitFor();
    await openDialog(visitor);
    await dialogOf(visitor).getByText('Nothing is stored yet.').waitFor();
    expect(await countsOf(visitor)).toBe('Updated 2 Archived 0 Restored 3 Conflicts 0');
    expect(await page.getByLabel('Take back conflicts, too').count()).toBe(0);
    await carryOut(visitor, undoId);
    await dialogOf(visitor).getByText(`Run ${undoId} is undone.`).waitFor();
    expect(await account(tenant, 'new-1')).toMatchObject({ archived_at: null, fields: { licenses: 5 } });
    expect(await account(tenant, 'acme')).toMatchObject({ name: 'Acme Inc', fields: { licenses: 25 } });
    await visitor.leave();
  });

  it('says why it is not possible: an open run, one without changes, a run of another source', async () => {
    const tenant = await ownTenant();
    const { key } = tenant;
    const id = await nightlyRun(tenant);
    const { id: open } = (await request(key, 'POST', '/api/v2/runs')).body;
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn(`/runs/${open}`, key);
    const button = page.getByRole('button', { name: 'Undo', exact: true });
    await page.getByText('A run can be undone once it has ended.').waitFor();
    expect(await button.isDisabled()).toBe(true);
    await visitor.inspect('undo-open-run');
    await request(key, 'POST', `/api/v2/runs/${open}/finish`);
    await page.getByText('This run has changed nothing that could be undone.').waitFor();
    await visitor.leave();

    const other = await browser.visit();
    await other.signIn(`/runs/${id}`, await keyFor(key, 'sync', 'read'));
    await openDialog(other);
    await dialogOf(other).getByText('belongs to the source first').waitFor();
    expect(other.takeProblems()).toEqual([expect.stringContaining('403')]);
    await other.inspect('undo-other-source');
    await other.leave();

    const reader = await browser.visit();
    await reader.signIn(`/runs/${id}`, await keyFor(key, 'read'));
    await reader.page.getByRole('heading', { level: 1, name: `Run ${id} of first` }).waitFor();
    expect(await reader.page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await reader.leave();
  });

  it('continues after an interruption, with the same options', async () => {
    const tenant = await ownTenant();
    const id = await largeRun(tenant);
    await interruptedUndo(tenant, id);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn(`/runs/${id}`, tenant.key);
    await page.getByText(/^Being undone by run \d+$/).waitFor();
    await openDialog(visitor, 'Continue undo');
    const dialog = dialogOf(visitor);
    await dialog.getByText(/^The undo has examined [\d,]+ of 20,000 changes so far/).waitFor();
    await dialog.getByText('It takes back conflicts, too').waitFor();
    await visitor.inspect('undo-interrupted');
    await dialog.getByRole('button', { name: 'Continue undo' }).click();
    await dialog.getByText('It can be continued later.').waitFor();
    await dialog.getByText(`Run ${id} is undone.`).waitFor();
    expect(await countsOf(visitor)).toBe('Updated 0 Archived 20,000 Restored 0 Conflicts 0');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText(/^Undone by run \d+$/).waitFor();
    await visitor.leave();
  });
});

async function largeRun({ key }: OwnTenant): Promise<string> {
  const { id } = (await request(key, 'POST', '/api/v2/runs')).body;
  const response = await fetch(`${inject('consoleUrl')}/api/v2/accounts/import`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/x-ndjson',
      'account-sync-run': id,
    },
    body: Array.from({ length: 20_000 }, (_, n) => `{"account_id":"a${n}","licenses":${n}}\n`).join(''),
  });
  await response.text();
  await request(key, 'POST', `/api/v2/runs/${id}/finish`);
  return id;
}

/** Disconnects after the first line. The server stops after the step that it is at. */
async function interruptedUndo({ key }: OwnTenant, id: string): Promise<void> {
  const controller = new AbortController();
  const response = await fetch(`${inject('consoleUrl')}/api/v2/runs/${id}/undo`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ force: true }),
    signal: controller.signal,
  });
  await response.body?.getReader().read();
  controller.abort();
}
