import { describe, expect, it, vi } from 'vitest';
import { keyFor, ownTenant, request } from './own-tenant.js';
import {
  account,
  carryOut,
  conflictsOf,
  countsOf,
  dialogOf,
  interruptedUndo,
  largeRun,
  laterChanges,
  nightlyRun,
  openDialog,
  openPreview,
} from './undo-page.js';
import { browserForTests, WIDTHS } from './visitor.js';

const browser = browserForTests();

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
    await openPreview(visitor);
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

  it('that has ended is not offered to be continued, however late the page hears that it had begun', async () => {
    const tenant = await ownTenant();
    const id = await largeRun(tenant);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn(`/runs/${id}`, tenant.key);
    await openPreview(visitor);
    const dialog = dialogOf(visitor);
    const stateOf = async (path: string) => (await request(tenant.key, 'GET', path)).body.state;
    let stateToldLate: string | undefined;
    await page.route(
      (url) => /\/runs\/\d+$/.test(url.pathname) && !url.pathname.endsWith(`/${id}`),
      async (route) => {
        const response = await route.fetch();
        stateToldLate = (await response.json()).state;
        const { pathname } = new URL(route.request().url());
        await vi.waitUntil(async () => (await stateOf(pathname)) === 'finished', { timeout: 30_000 });
        // Too late, if the page has given this request up.
        await route.fulfill({ response }).catch(() => {});
      },
      { times: 1 },
    );
    await carryOut(visitor, id);
    expect(stateToldLate).toBe('open');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.locator(':focus').innerText()).toBe('Undo');
    await visitor.leave();
  });

  it('that loses its connection can be continued', async () => {
    const tenant = await ownTenant();
    const id = await nightlyRun(tenant);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn(`/runs/${id}`, tenant.key);
    await openPreview(visitor);
    const dialog = dialogOf(visitor);
    await page.route('**/undo', (route) => route.abort());
    await dialog.getByRole('button', { name: `Undo run ${id}` }).click();
    await dialog.getByText('The undo is not complete').waitFor();
    expect(new Set(visitor.takeProblems())).toEqual(new Set([expect.stringContaining('ERR_FAILED')]));
    await visitor.inspect('undo-lost');
    await page.unroute('**/undo');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText(`Run ${id} is undone.`).waitFor();
    await visitor.leave();
  });

  it('lists the first 100 conflicts, and counts the others', async () => {
    const { key } = await ownTenant();
    const ids = Array.from({ length: 130 }, (_, n) => `account-${n}`);
    const push = (licenses: number, headers = {}) =>
      request(
        key,
        'POST',
        '/api/v1_1/accounts',
        ids.map((account_id) => ({ account_id, licenses })),
        headers,
      );
    await push(1);
    const { id } = (await request(key, 'POST', '/api/v2/runs')).body;
    await push(2, { 'account-sync-run': id });
    await request(key, 'POST', `/api/v2/runs/${id}/finish`);
    await push(3);
    const visitor = await browser.visit();
    await visitor.signIn(`/runs/${id}`, key);
    await openDialog(visitor);
    const dialog = dialogOf(visitor);
    await dialog.getByRole('heading', { name: '130 conflicts' }).waitFor();
    await dialog.getByText('and 30 more').waitFor();
    await dialog.getByText('None of the 130 changes would be taken back.').waitFor();
    expect(await dialog.getByRole('button', { name: `Undo run ${id}` }).isDisabled()).toBe(true);
    expect(await conflictsOf(visitor)).toHaveLength(100);
    await visitor.inspect('undo-many-conflicts');
    await visitor.leave();
  });
});
