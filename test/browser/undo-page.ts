import { inject } from 'vitest';
import { type OwnTenant, request, send } from './own-tenant.js';
import type { Visitor } from './visitor.js';

/** A finished run that updates two accounts and creates three. */
export async function nightlyRun(tenant: OwnTenant): Promise<string> {
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
export async function laterChanges({ key }: OwnTenant): Promise<void> {
  await send(key, { account_id: 'acme', licenses: 30 });
  await send(key, { account_id: 'new-2', custom_note: 'called' });
  await request(key, 'DELETE', '/api/v2/accounts/gone');
}

export const account = async ({ key }: OwnTenant, id: string) =>
  (await request(key, 'GET', `/api/v2/accounts/${id}`)).body;

export const dialogOf = ({ page }: Visitor) => page.getByRole('dialog');

export const countsOf = async (visitor: Visitor) =>
  (await dialogOf(visitor).locator('dl').first().innerText()).replace(/\s+/g, ' ');

export const conflictsOf = async (visitor: Visitor, onPhone = false) => {
  const dialog = dialogOf(visitor);
  const rows = onPhone
    ? dialog.getByRole('list', { name: 'Conflicts' }).getByRole('listitem')
    : dialog.getByRole('table', { name: 'Conflicts' }).locator('tbody').getByRole('row');
  return (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')).sort();
};

export const openDialog = ({ page }: Visitor, name = 'Undo') =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click();

/** Resolves when the dialog shows what an undo would do. */
export async function openPreview(visitor: Visitor): Promise<void> {
  await openDialog(visitor);
  await dialogOf(visitor).getByText('Nothing is stored yet.').waitFor();
}

/** The id of the undo that the dialog shows as complete. */
export async function carryOut(visitor: Visitor, id: string): Promise<string> {
  const dialog = dialogOf(visitor);
  await dialog.getByRole('button', { name: `Undo run ${id}` }).click();
  return (await dialog.getByRole('link', { name: /^Run \d+$/ }).innerText()).slice('Run '.length);
}

export async function largeRun({ key }: OwnTenant): Promise<string> {
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
export async function interruptedUndo({ key }: OwnTenant, id: string): Promise<void> {
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
