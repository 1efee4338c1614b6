import {
  AccountSync,
  ForbiddenError,
  NotFoundError,
  RefusedError,
  UnavailableError,
  verifyWebhook,
} from '@account-sync/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../dist/domain/webhook.js';
import { freshDirectory, runJson, Service } from '../support/service.js';
import { answer, WebhookReceiver } from '../support/webhook-receiver.js';
import { all, cut, problem, ScriptedServer } from './scripted-server.js';

let service: Service;
let client: AccountSync;
beforeAll(async () => {
  service = await Service.start({
    ACCOUNT_SYNC_DATA_DIR: await freshDirectory(),
    ACCOUNT_SYNC_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
  });
  client = new AccountSync({ url: service.url, key: service.key });
});
afterAll(() => service.stopAndRemove());

const URL = 'https://example.com/events';
const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const SECRET = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
const webhook = (given: object) => ({
  id: expect.stringMatching(/^wh_[0-9a-f]{12}$/),
  url: URL,
  description: '',
  events: EVENT_TYPES,
  filter: { sources: [], fields: [], values: {} },
  batch_size: 100,
  state: 'active',
  reason: null,
  cursor: expect.stringMatching(/^\d+~\d+$/),
  has_all: true,
  failures: 0,
  failing_since: null,
  retry_at: null,
  last_error: null,
  delivered_at: null,
  previous_secret_until: null,
  created_at: TIMESTAMP,
  ...given,
});

it('a webhook is created, read, listed, changed and removed', async () => {
  const settings = {
    url: URL,
    description: 'Back to the CRM',
    events: ['account.created', 'run.finished'],
    filter: { sources: ['default'], fields: ['licenses'], values: { custom_Tier: ['gold', 5, true, null] } },
    batch_size: 7,
  } as const;
  const { secret, ...first } = await client.webhooks.create(settings);
  expect([first, secret]).toEqual([webhook(settings), SECRET]);
  const { secret: _secret, ...second } = await client.webhooks.create({ url: URL });
  expect(second).toEqual(webhook({}));
  expect(await client.webhooks.list()).toEqual([first, second]);
  expect(await client.webhooks.get(first.id)).toEqual(first);
  const changed = { ...first, description: '', filter: { sources: [], fields: ['name'], values: {} } };
  expect(await client.webhooks.change(first.id, { description: '', filter: { fields: ['name'] } })).toEqual(
    changed,
  );
  const paused = { ...changed, state: 'paused' };
  expect(await client.webhooks.change(first.id, { state: 'paused' })).toEqual(paused);
  expect(await client.webhooks.change(first.id, { state: 'active' })).toEqual(changed);
  for (const { id } of [first, second]) {
    expect([await client.webhooks.remove(id), await client.webhooks.remove(id)]).toEqual([true, false]);
  }
  expect(await client.webhooks.list()).toEqual([]);
});

it('a receiver verifies messages with the old secret and with the new one', async () => {
  const receiver = await WebhookReceiver.start();
  const { id, secret } = await client.webhooks.create({ url: receiver.url, events: ['account.created'] });
  const { secret: newSecret, ...rotated } = await client.webhooks.rotateSecret(id);
  expect([rotated, newSecret]).toEqual([
    webhook({ id, url: receiver.url, events: ['account.created'], previous_secret_until: TIMESTAMP }),
    SECRET,
  ]);
  expect(newSecret).not.toBe(secret);
  await client.upsert({ account_id: 'verified', licenses: 3 });
  await expect.poll(() => receiver.accounts).toEqual(['verified']);
  const [message] = receiver.messages;
  for (const one of [secret, newSecret]) {
    const { data } = await verifyWebhook(one, message?.headers ?? {}, message?.body ?? '');
    expect(data).toEqual([
      {
        type: 'account.created',
        timestamp: TIMESTAMP,
        cursor: expect.stringMatching(/^\d+~\d+$/),
        data: {
          account_id: 'verified',
          revision: 1,
          kind: 'created',
          at: TIMESTAMP,
          request_id: expect.any(String),
          key_id: expect.any(String),
          user: null,
          source: 'default',
          run_id: expect.any(String),
          is_erased: false,
          changes: [{ field: 'licenses', from: null, to: 3 }],
        },
      },
    ]);
  }
  await client.webhooks.remove(id);
});

it('a webhook gets events again from a cursor or a moment on', async () => {
  const receiver = await WebhookReceiver.start();
  const since = new Date().toISOString();
  await client.upsert({ account_id: 'before' });
  const { id } = await client.webhooks.create({ url: receiver.url, events: ['account.created'] });
  await client.upsert({ account_id: 'after' });
  await expect.poll(() => receiver.accounts).toEqual(['after']);
  const [before] = (await all(client.changes())).filter(({ account_id }) => account_id === 'before');
  const cursor = before?.cursor ?? '';
  expect(await client.webhooks.replay(id, { after: cursor })).toMatchObject({ id, cursor, state: 'active' });
  await expect.poll(() => receiver.accounts).toEqual(['after', 'after']);
  expect(await client.webhooks.replay(id, { since })).toMatchObject({ id, has_all: false });
  await expect.poll(() => receiver.accounts.slice(2)).toEqual(expect.arrayContaining(['before', 'after']));
  await client.webhooks.remove(id);
});

it('a test event is sent, and the deliveries are listed, newest first, in pages', async () => {
  const receiver = await WebhookReceiver.start();
  const { id } = await client.webhooks.create({ url: receiver.url });
  receiver.next.push(answer(202, {}, 'thanks'), answer(500, {}, 'broken'));
  const message_id = expect.stringMatching(/^msg_test_[0-9a-f]{12}$/);
  const taken = { message_id, status: 202, error: null, took_ms: expect.any(Number), answer: 'thanks' };
  const failed = { ...taken, status: 500, error: 'It answered 500.', answer: 'broken' };
  expect(await client.webhooks.test(id)).toEqual(taken);
  expect(await client.webhooks.test(id)).toEqual(failed);
  const row = { id: expect.stringMatching(/^\d+$/), at: TIMESTAMP, attempt: 1, messages: 1, events: 1 };
  expect(await all(client.webhooks.deliveries(id))).toEqual([
    { ...row, ...failed },
    { ...row, ...taken },
  ]);
  for (let i = 0; i < 100; i += 1) await client.webhooks.test(id);
  const deliveries = await all(client.webhooks.deliveries(id));
  expect(deliveries).toHaveLength(102);
  expect(deliveries.map((one) => Number(one.id))).toEqual(
    deliveries.map((one) => Number(one.id)).sort((a, b) => b - a),
  );
  await client.webhooks.remove(id);
});

it('what is not valid, unknown or not allowed is rejected', async () => {
  const { webhooks } = client;
  const invalid = await webhooks.create({ url: 'http://example.com/' }).catch((error: unknown) => error);
  expect(invalid).toBeInstanceOf(RefusedError);
  expect(invalid).toMatchObject({
    status: 400,
    code: 'invalid_request',
    errors: { '/body/url': ['must begin with https://'] },
  });
  for (const call of [
    () => webhooks.get('no/id?'),
    () => webhooks.change('no/id?', { description: '' }),
    () => webhooks.rotateSecret('no/id?'),
    () => webhooks.replay('no/id?', { after: '0~0' }),
    () => webhooks.test('no/id?'),
    () => all(webhooks.deliveries('no/id?')),
  ]) {
    await expect(call()).rejects.toBeInstanceOf(NotFoundError);
  }
  const { key } = await runJson(service.settings, ...['key', 'create', 'default', '--scope', 'sync', 'read']);
  const reader = new AccountSync({ url: service.url, key });
  await expect(reader.webhooks.list()).rejects.toBeInstanceOf(ForbiddenError);
});

it('what would act twice is not tried again if the response is lost', async () => {
  const server = await ScriptedServer.start([cut]);
  const { webhooks } = server.client();
  for (const call of [
    () => webhooks.create({ url: URL }),
    () => webhooks.rotateSecret('wh_1'),
    () => webhooks.test('wh_1'),
  ]) {
    await expect(call()).rejects.toBeInstanceOf(UnavailableError);
  }
  await server.stop();
  expect(server.seen).toEqual([
    'POST /api/v2/webhooks',
    'POST /api/v2/webhooks/wh_1/rotate-secret',
    'POST /api/v2/webhooks/wh_1/test',
  ]);
});

it('a removal whose response was lost is tried again, and was one', async () => {
  const server = await ScriptedServer.start([cut, problem(404, 'not_found', 'There is no webhook wh_1.')]);
  expect(await server.client().webhooks.remove('wh_1')).toBe(true);
  expect(await server.client().webhooks.remove('wh_1')).toBe(false);
  await server.stop();
  expect(server.seen).toEqual(Array(3).fill('DELETE /api/v2/webhooks/wh_1'));
});
