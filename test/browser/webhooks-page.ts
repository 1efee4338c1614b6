import { verifyWebhook } from '@account-sync/client';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { WebhookReceiver } from '../support/webhook-receiver.js';
import { type OwnTenant, request } from './own-tenant.js';
import { retainedState } from './retained-state.js';
import type { Visitor } from './visitor.js';

export const DESCRIPTION = 'Back to the CRM';

export async function create({ key }: OwnTenant, settings: object): Promise<{ id: string; secret: string }> {
  const created = await request(key, 'POST', '/api/v2/webhooks', settings);
  expect(created.status).toBe(201);
  return created.body;
}

export const read = async ({ key }: OwnTenant, id: string) =>
  (await request(key, 'GET', `/api/v2/webhooks/${id}`)).body;

export const webhookIn = ({ page }: Visitor, onPhone: boolean, name: string) =>
  page
    .getByRole(onPhone ? 'list' : 'table', { name: 'Webhooks' })
    .getByRole(onPhone ? 'listitem' : 'row')
    .filter({ hasText: name });

export const deliveriesIn = ({ page }: Visitor) =>
  page.getByRole('list', { name: 'Deliveries, newest first' }).getByRole('listitem');

/** The changes of webhooks in the audit log, by their first word. */
export const changesOf = async ({ page }: Visitor) => {
  const entries = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  const texts = await entries.filter({ hasText: 'Webhook wh_' }).allInnerTexts();
  return texts.map((text) => text.split(/\s+/)[2]?.replace(/\W/, ''));
};

export const shownSecret = async (page: Page) => (await page.getByText(/^whsec_/).textContent()) ?? '';

export const expectNoSecretLeft = async (page: Page) => {
  const left = await retainedState(page);
  expect(left.mutations.length).toBeGreaterThan(0);
  expect(JSON.stringify(left)).not.toContain('whsec_');
};

/** Waits for that many messages, and verifies the last one. */
export async function lastEvents(
  receiver: WebhookReceiver,
  count: number,
  secret: string,
): Promise<string[]> {
  await expect.poll(() => receiver.messages.length).toBe(count);
  const { headers, body } = receiver.messages[count - 1] as (typeof receiver.messages)[number];
  return (await verifyWebhook(secret, headers, body)).data.map(({ type }) => type);
}
