import { expect } from 'vitest';
import { type OwnTenant, ownTenant, request, send } from './own-tenant.js';
import { memberOf } from './people.js';
import type { Visitor } from './visitor.js';

export const ATTRIBUTES = {
  custom_Notes: { type: 'text' },
  custom_Seats: { type: 'integer' },
  custom_Mrr: { type: 'decimal' },
  custom_Is_Valid: { type: 'boolean' },
  custom_Signed_On: { type: 'date' },
  custom_Called_At: { type: 'datetime' },
  custom_Tier: { type: 'choice', choices: ['bronze', 'silver', 'gold'] },
  custom_Score: { type: 'integer', read_only: true },
} as const;

/** A value of each type. */
export const VALUES = {
  name: 'Acme',
  parent_account_id: 'acme-group',
  custom_Notes: 'They renewed early.\nCall them in May.',
  custom_Seats: 25,
  custom_Mrr: 1250.5,
  custom_Is_Valid: true,
  custom_Signed_On: '2021-05-31',
  custom_Called_At: '2021-05-31T23:30:15Z',
  custom_Tier: 'silver',
};

/** A tenant with the account acme, which has a value of each type. */
export async function editTenant(): Promise<OwnTenant> {
  const tenant = await ownTenant();
  const { key } = tenant;
  for (const [name, body] of Object.entries(ATTRIBUTES)) {
    expect((await request(key, 'PUT', `/api/v2/attributes/${name}`, body)).status).toBeLessThan(300);
  }
  // A declaration applies within a second.
  await expect
    .poll(async () => (await send(key, { account_id: 'probe', custom_Score: 1 })).status)
    .toBeGreaterThan(399);
  await send(key, { account_id: 'acme-group', name: 'Acme Group' });
  await send(key, { account_id: 'acme', ...VALUES, custom_Undeclared: { a: [1] } });
  return tenant;
}

/** Signs in as a new editor of the tenant, and opens the page of the account acme. */
export async function openAsEditor(visitor: Visitor, tenant: OwnTenant): Promise<void> {
  await visitor.signInAs(await memberOf(tenant, 'editor'), '/accounts/acme');
  await actionOf(visitor, 'Edit').waitFor();
}

export const patch = (
  { key }: OwnTenant,
  body: object,
  headers: Readonly<Record<string, string>> = { 'if-match': '*' },
) => request(key, 'PATCH', '/api/v2/accounts/acme', body, headers);

export const acme = async ({ key }: OwnTenant) => (await request(key, 'GET', '/api/v2/accounts/acme')).body;

export const actionOf = ({ page }: Visitor, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true });

export const dialogOf = ({ page }: Visitor) => page.getByRole('dialog');

export const fieldOf = (visitor: Visitor, name: string) =>
  dialogOf(visitor).getByLabel(name, { exact: true });

export const buttonOf = (visitor: Visitor, name: string) =>
  dialogOf(visitor).getByRole('button', { name, exact: true });

export async function openForm(visitor: Visitor): Promise<void> {
  await actionOf(visitor, 'Edit').click();
  await fieldOf(visitor, 'Name').waitFor();
}

export async function review(visitor: Visitor): Promise<void> {
  await buttonOf(visitor, 'Review change').click();
}

/** The changes that the review shows, such as “custom_Seats 25 to 30”. */
export async function changesIn(visitor: Visitor): Promise<string[]> {
  await dialogOf(visitor).getByRole('heading', { name: 'Review change' }).waitFor();
  const rows = dialogOf(visitor).locator('dl > div:visible');
  return (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
}
