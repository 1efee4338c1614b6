import { describe, expect, it } from 'vitest';
import { answer, taken, WebhookReceiver } from '../support/webhook-receiver.js';
import { keyFor, ownTenant, request, send } from './own-tenant.js';
import { browserForTests, WIDTHS } from './visitor.js';
import {
  create,
  DESCRIPTION,
  deliveriesIn,
  expectNoSecretLeft,
  lastEvents,
  read,
  shownSecret,
  webhookIn,
} from './webhooks-page.js';

const browser = browserForTests();

describe.each(WIDTHS)('a webhook, %o', ({ onPhone }) => {
  it('is created with errors at their fields, and shows its secret once', async () => {
    const tenant = await ownTenant();
    const receiver = await WebhookReceiver.start();
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('', tenant.key);
    if (onPhone) await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await visitor.inspect('webhooks-none');

    await page.getByRole('button', { name: 'Create the first webhook' }).click();
    const dialog = page.getByRole('dialog');
    const url = dialog.getByLabel('URL');
    await expect.poll(() => url.evaluate((input) => input.matches(':focus'))).toBe(true);
    await url.fill('http://example.com/');
    await url.press('Enter');
    await dialog.getByText('Must begin with https://.').waitFor();
    expect(await url.getAttribute('aria-invalid')).toBe('true');
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
    await url.fill(`${receiver.url}/events`);
    await dialog.getByLabel('Description').fill(DESCRIPTION);
    await dialog.getByRole('button', { name: 'Select none' }).click();
    await dialog.getByText('Select at least one event.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Create webhook' }).isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'account.created' }).check();
    await dialog.getByRole('checkbox', { name: 'account.updated' }).press('Space');

    await dialog.getByRole('button', { name: 'Show optional settings' }).press('Enter');
    const sources = dialog.getByRole('combobox', { name: 'Sources' });
    await sources.fill('nowhere');
    await sources.press('Enter');
    await dialog.getByRole('textbox', { name: 'Batch size' }).fill('101');
    await dialog.getByRole('button', { name: 'Hide optional settings' }).click();
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText('Must be <= 100.').waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
    await dialog.getByRole('textbox', { name: 'Batch size' }).fill('7');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText('Must be the name of a source.').waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('400')]);
    await dialog.getByRole('button', { name: 'Remove nowhere' }).press('Enter');
    await sources.click();
    await page.getByRole('option', { name: 'first' }).click();
    await dialog.getByRole('combobox', { name: 'Changed fields' }).fill('licenses');
    await dialog.getByRole('button', { name: 'Add a field' }).click();
    await dialog.getByRole('combobox', { name: 'Field', exact: true }).fill('custom_Tier');
    const values = dialog.getByRole('combobox', { name: 'One of the values' });
    for (const value of ['gold', '"5"', '5']) {
      await values.fill(value);
      await values.press('Enter');
    }
    await visitor.inspect('webhooks-new');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();

    await dialog.getByText('The secret is shown only once').waitFor();
    const secret = await shownSecret(page);
    await visitor.inspect('webhooks-secret');
    await dialog.getByRole('button', { name: 'Copy the secret' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(secret);
    await page.keyboard.press('Escape');
    await dialog.getByText('This dialog stays open so that the secret is not lost.').waitFor();
    await dialog.getByRole('button', { name: 'I have stored the secret' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expectNoSecretLeft(page);
    await webhookIn(visitor, onPhone, DESCRIPTION).getByText('Has all events').waitFor();
    await visitor.inspect('webhooks');

    await page.getByRole('link', { name: 'Open it to send a test event' }).click();
    await page.getByRole('heading', { level: 1, name: DESCRIPTION }).waitFor();
    const settings = page.getByRole('region', { name: 'Settings' });
    for (const text of ['account.created, account.updated', 'custom_Tier: gold or "5" or 5', 'licenses'])
      await settings.getByText(text, { exact: true }).waitFor();
    const [{ events, filter, batch_size }] = (await request(tenant.key, 'GET', '/api/v2/webhooks')).body.data;
    expect({ events, filter, batch_size }).toEqual({
      events: ['account.created', 'account.updated'],
      filter: { sources: ['first'], fields: ['licenses'], values: { custom_Tier: ['gold', '5', 5] } },
      batch_size: 7,
    });
    await visitor.leave();
  });

  it('sends a test event, and shows the answer', async () => {
    const tenant = await ownTenant();
    const receiver = await WebhookReceiver.start();
    const { id, secret } = await create(tenant, { url: receiver.url, description: DESCRIPTION });
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn(`/webhooks/${id}`, tenant.key);
    await page.getByText('Nothing was sent so far').waitFor();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page
      .getByRole('status')
      .getByText(/^Taken with status 200 after [\d,]+ ms\.$/)
      .waitFor();
    await page.getByRole('region', { name: 'the answer', exact: true }).getByText('ok').waitFor();
    expect(await lastEvents(receiver, 1, secret)).toEqual(['webhook.test']);
    await deliveriesIn(visitor).getByText('Taken').waitFor();
    await visitor.inspect('webhook');
    await visitor.leave();
  });

  it('that fails shows why and since when, its deliveries with answers, and is tried again at once', async () => {
    const tenant = await ownTenant();
    const receiver = await WebhookReceiver.start();
    receiver.reply = answer(500, { 'retry-after': '3600' }, 'The database of the CRM is away.');
    const { id } = await create(tenant, { url: receiver.url, description: DESCRIPTION });
    await create(tenant, { url: `${receiver.url}/second`, events: ['run.finished'] });
    await send(tenant.key, { account_id: 'acme', licenses: 1 });
    await expect.poll(async () => (await read(tenant, id)).failures).toBe(1);

    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/webhooks', tenant.key);
    const entry = webhookIn(visitor, onPhone, DESCRIPTION);
    await entry.getByText('since just now: It answered 500').waitFor();
    const text = (await entry.innerText()).replace(/\s+/g, ' ');
    expect(text).toMatch(/Failing.*Never Events are waiting.*(in 59 minutes|in 1 hour)/);
    await webhookIn(visitor, onPhone, '/second').getByText('Active').waitFor();
    await visitor.inspect('webhooks-failing');

    await entry.getByRole('link', { name: DESCRIPTION }).click();
    const alert = page.getByRole('status').filter({ hasText: 'Failing since just now' });
    await alert.getByText('has not taken the current message in 1 attempt. It answered 500').waitFor();
    const delivery = deliveriesIn(visitor).first();
    await delivery.getByText(/^1 event · attempt 1 · [\d,]+ ms · msg_/).waitFor();
    await delivery.getByRole('button', { name: /^Answer at / }).press('Enter');
    await delivery.getByText('The database of the CRM is away.').waitFor();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page
      .getByRole('status')
      .getByText(/^Not taken after [\d,]+ ms\. It answered 500\.$/)
      .waitFor();
    await visitor.inspect('webhook-failing');

    receiver.reply = taken;
    await alert.getByRole('button', { name: 'Try again now' }).click();
    await page.getByText('Has all events').waitFor();
    await alert.waitFor({ state: 'detached' });
    await deliveriesIn(visitor).first().getByText('Taken').waitFor();
    expect(receiver.accounts.filter((account) => account === 'acme').length).toBe(1);
    await visitor.leave();
  });

  it('whose receiver is gone is disabled, with a warning on the overview', async () => {
    const tenant = await ownTenant();
    const receiver = await WebhookReceiver.start();
    receiver.reply = answer(410);
    const { id } = await create(tenant, { url: receiver.url, description: DESCRIPTION });
    await send(tenant.key, { account_id: 'acme', licenses: 1 });
    await expect.poll(async () => (await read(tenant, id)).state).toBe('disabled');
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('', tenant.key);
    await page.getByText('1 webhook was paused or disabled because of failures.').waitFor();
    await visitor.inspect('overview-stopped-webhook');
    await page.getByRole('link', { name: 'See Webhooks' }).click();
    const entry = webhookIn(visitor, onPhone, DESCRIPTION);
    await entry.getByText('It answered 410: it is gone.').waitFor();
    await entry.getByRole('link', { name: DESCRIPTION }).click();
    await page.getByRole('status').getByText('It answered 410: it is gone. No events are sent.').waitFor();
    await visitor.inspect('webhook-disabled');
    receiver.reply = taken;
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Has all events').waitFor();
    await visitor.open('/settings/audit');
    await page.getByText(`Webhook ${id} disabled: It answered 410: it is gone.`).waitFor();
    await page.getByText('by the service itself').waitFor();
    await visitor.leave();
  });
});

describe('webhooks', () => {
  it('refresh automatically, and load more deliveries on request', async () => {
    const tenant = await ownTenant();
    const receiver = await WebhookReceiver.start();
    const { id } = await create(tenant, { url: receiver.url });
    receiver.reply = answer(503);
    for (let n = 0; n < 52; n += 1) await request(tenant.key, 'POST', `/api/v2/webhooks/${id}/test`);
    receiver.reply = taken;
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn(`/webhooks/${id}`, tenant.key);
    await expect.poll(() => deliveriesIn(visitor).count()).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => deliveriesIn(visitor).count()).toBe(52);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await send(tenant.key, { account_id: 'acme', licenses: 1 });
    await expect.poll(() => deliveriesIn(visitor).count()).toBe(53);
    await deliveriesIn(visitor).first().getByText('Taken').waitFor();
    await page.getByText('Last delivered just now').waitFor();
    await visitor.leave();
  });

  it('are only for keys with the scope admin', async () => {
    const tenant = await ownTenant();
    const { id } = await create(tenant, { url: 'https://example.com/' });
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/webhooks', await keyFor(tenant.key, 'read'));
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    expect(await page.getByRole('link', { name: 'Webhooks', exact: true }).count()).toBe(0);
    await visitor.open(`/webhooks/${id}`);
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    await visitor.leave();
  });

  it('that do not exist are explained', async () => {
    const { key } = await ownTenant();
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/webhooks/wh_000000000000', key);
    await page.getByRole('heading', { name: 'This webhook does not exist' }).waitFor();
    expect(visitor.takeProblems()).toEqual([expect.stringContaining('404')]);
    await visitor.inspect('webhook-none');
    await page.getByRole('link', { name: 'All webhooks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await visitor.leave();
  });
});
