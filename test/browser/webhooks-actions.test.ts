import { describe, expect, it } from 'vitest';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { ownTenant, send } from './own-tenant.js';
import { browserForTests, WIDTHS } from './visitor.js';
import {
  changesOf,
  create,
  DESCRIPTION,
  deliveriesIn,
  expectNoSecretLeft,
  lastEvents,
  shownSecret,
} from './webhooks-page.js';

const browser = browserForTests();

describe.each(WIDTHS)('a webhook, %o', ({ onPhone }) => {
  it('is edited, paused, resumed and replayed', async () => {
    const tenant = await ownTenant();
    const receiver = await WebhookReceiver.start();
    const { id, secret } = await create(tenant, { url: receiver.url, events: ['account.created'] });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn(`/webhooks/${id}`, tenant.key);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await dialog.getByLabel('URL').inputValue()).toBe(receiver.url);
    await dialog.getByLabel('Description').fill(DESCRIPTION);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('The webhook was changed.').waitFor();
    await page.getByRole('heading', { level: 1, name: DESCRIPTION }).waitFor();

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('status').getByText('The webhook was paused.').waitFor();
    await send(tenant.key, { account_id: 'acme', licenses: 1 });
    await page.reload();
    await page.getByText('Events are waiting').waitFor();
    await visitor.inspect('webhook-paused');
    expect(receiver.messages).toEqual([]);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('status').getByText('The webhook was resumed.').waitFor();
    expect(await lastEvents(receiver, 1, secret)).toEqual(['account.created']);
    await deliveriesIn(visitor).getByText('Taken').waitFor();

    await page.getByRole('button', { name: 'Replay' }).click();
    await dialog.getByText('Everything from there on is sent again').waitFor();
    await dialog.getByRole('radio', { name: 'A cursor' }).check();
    const cursor = dialog.getByRole('textbox', { name: 'Cursor' });
    await cursor.fill('then');
    await cursor.press('Enter');
    await dialog.getByText('Must be a cursor of the change feed.').waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
    await visitor.inspect('webhook-replay');
    await cursor.fill('0~0');
    await cursor.press('Enter');
    await page.getByRole('status').getByText('Events are being sent again.').waitFor();
    await lastEvents(receiver, 2, secret);
    await page.getByRole('button', { name: 'Replay' }).click();
    await dialog.getByLabel('Time').fill('2020-01-31T12:00');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await lastEvents(receiver, 3, secret);
    expect(new Set(receiver.messages.map((message) => message.id)).size).toBe(3);
    await visitor.open('/settings/audit');
    await expect
      .poll(() => changesOf(visitor))
      .toEqual(['replayed', 'replayed', 'resumed', 'paused', 'changed', 'created']);
    await visitor.leave();
  });

  it('gets a new secret, with the old one valid for a day, and is removed', async () => {
    const tenant = await ownTenant();
    const receiver = await WebhookReceiver.start();
    const { id, secret } = await create(tenant, { url: receiver.url, description: DESCRIPTION });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn(`/webhooks/${id}`, tenant.key);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByText('For 24 hours messages are signed with both').waitFor();
    await visitor.inspect('webhook-rotate');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByText(/messages are signed with the old secret, too\.$/).waitFor();
    const second = await shownSecret(page);
    expect(second).not.toBe(secret);
    await dialog.getByRole('button', { name: 'I have stored the secret' }).click();
    await page.getByRole('status').getByText('The secret was rotated.').waitFor();
    await expectNoSecretLeft(page);
    await page.getByText(/^The old secret is valid until /).waitFor();
    await send(tenant.key, { account_id: 'globex', licenses: 1 });
    for (const valid of [secret, second])
      expect(await lastEvents(receiver, 1, valid)).toEqual(['account.created']);

    await page.getByRole('button', { name: 'Remove' }).click();
    await visitor.inspect('webhook-remove');
    await dialog.getByRole('button', { name: 'Remove webhook' }).click();
    await page.getByRole('status').getByText(`${DESCRIPTION} was removed.`).waitFor();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();

    await visitor.open('/settings/audit');
    await page.getByText(`Webhook ${id} removed (was for ${receiver.url})`).waitFor();
    expect(await changesOf(visitor)).toEqual(['removed', 'got', 'created']);
    await visitor.leave();
  });
});
