import { AccountSync } from '@account-sync/client';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { freshSqlite } from '../support/databases.js';
import { run, Service } from '../support/service.js';
import { answer, WebhookReceiver } from '../support/webhook-receiver.js';

const ADDRESS = 'https://example.com/events';

it('doctor names webhooks that get nothing, with what to do', async () => {
  const database = await freshSqlite();
  const service = await Service.start({
    ...database.settings,
    ACCOUNT_SYNC_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
  });
  onTestFinished(async () => {
    await service.stop();
    await database.remove();
  });
  const client = new AccountSync({ url: service.url, key: service.key });
  const check = 'webhooks';
  const findings = async () => {
    const { status, stdout } = await run(['doctor', '--json'], database.settings);
    const all: { check: string }[] = JSON.parse(stdout).findings;
    return [status, all.filter((one) => one.check === check)];
  };
  expect(await findings()).toEqual([0, [{ check, state: 'ok', found: 'none' }]]);
  const receiver = await WebhookReceiver.start();
  const { id } = await client.webhooks.create({ url: receiver.url });
  expect(await findings()).toEqual([0, [{ check, state: 'ok', found: 'delivering: 1' }]]);
  receiver.reply = answer(503, { 'retry-after': '3600' });
  await client.upsert({ account_id: 'not-taken-either' });
  await expect.poll(async () => (await client.webhooks.get(id)).failures).toBe(1);
  const since = (await client.webhooks.get(id)).failing_since?.slice(0, 16).replace('T', ' ');
  const failing = {
    check,
    state: 'warning',
    found: `${id} of tenant default fails since ${since} UTC. It answered 503.`,
    advice: `It is tried again. See what failed with: account-sync webhook deliveries ${id}`,
  };
  expect(await findings()).toEqual([0, [failing]]);
  await client.webhooks.change(id, { state: 'paused' });
  const resume = `account-sync webhook resume ${id}`;
  const paused = {
    check,
    state: 'ok',
    found: `${id} of tenant default is paused by an administrator`,
    advice: `It misses changes that are no longer kept. Continue with: ${resume}`,
  };
  expect(await findings()).toEqual([0, [paused]]);
  receiver.reply = answer(410);
  await client.webhooks.change(id, { state: 'active' });
  await expect.poll(async () => (await client.webhooks.get(id)).state).toBe('disabled');
  const { reason } = await client.webhooks.get(id);
  const disabled = {
    check,
    state: 'warning',
    found: `${id} of tenant default is disabled. ${reason}`,
    advice: `Check its receiver, then continue where it was with: ${resume}`,
  };
  // A webhook of another tenant that delivers is not named.
  const store = await openStore({ database: database.url });
  await store.directory.createTenant('other', {}, 1);
  const { id: tenantId = 0 } = (await store.directory.findTenant({ name: 'other' })) ?? {};
  const settings = { url: ADDRESS, description: '', events: ['account.created'], batchSize: 1 } as const;
  const filter = { sources: [], fields: [], values: {} };
  const by = { at: 1, senderId: null, requestId: null };
  await store.webhooks.add(tenantId, { ...settings, filter }, { commitOrder: 0, seq: 0 }, by);
  await store.close();
  expect(await findings()).toEqual([0, [disabled]]);
  const { stdout } = await run(['doctor'], database.settings);
  expect(stdout).toContain(
    `warning  webhooks         ${disabled.found}\n${' '.repeat(26)}${disabled.advice}\n`,
  );
});
