import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Deliverer, type DelivererParts } from '../../dist/delivery/deliverer.js';
import { HostPolicy } from '../../dist/delivery/host-policy.js';
import { MessageSender } from '../../dist/delivery/post-message.js';
import { EVENT_TYPES } from '../../dist/domain/webhook.js';
import { openStore } from '../../dist/store/open-store.js';
import { BEGINNING } from '../../dist/store/schema/position.js';
import type { Store } from '../../dist/store/store.js';
import type { WebhookSettings } from '../../dist/store/webhooks/webhook-row.js';
import { createTenant } from '../store/store-contract.js';
import { type Database, databases } from '../support/databases.js';
import { answer, cut, hang, type Reply, taken, WebhookReceiver } from '../support/webhook-receiver.js';

const DAY = 86_400_000;
const by = { at: 1, senderId: null, requestId: null };

describe.each(databases)('webhooks are delivered on %s', (_name, createDatabase) => {
  let database: Database;
  let store: Store;
  let tenantId: number;
  let tenants = 0;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    database = await createDatabase();
    store = await openStore({ database: database.url });
  }, 60_000);
  afterAll(async () => {
    await store.close();
    await database.remove();
  });
  beforeEach(async () => {
    tenants += 1;
    tenantId = await createTenant(store, `tenant-${tenants}`);
    receiver = await WebhookReceiver.start();
  });

  const addTo = async (tenant: number, settings: Partial<WebhookSettings> = {}) => {
    const filter = { sources: [], fields: [], values: {} };
    const all = { url: receiver.url, description: '', events: EVENT_TYPES, filter, batchSize: 100 };
    const { webhook, secret } = await store.webhooks.add(tenant, { ...all, ...settings }, BEGINNING, by);
    onTestFinished(async () => void (await store.webhooks.remove(tenant, webhook.id, by)));
    return { id: webhook.id, secret };
  };
  const add = (settings?: Partial<WebhookSettings>) => addTo(tenantId, settings);
  const start = (parts: Partial<DelivererParts> & { answerMs?: number } = {}) => {
    const { answerMs = 2_000, ...others } = parts;
    const sender = new MessageSender(new HostPolicy(['127.0.0.1']), { answerMs, bodyMs: 100 });
    const deliverer = new Deliverer({ store, sender, holder: randomUUID(), retryMs: () => 50, ...others });
    onTestFinished(async () => {
      await deliverer.close();
      sender.close();
    });
    return deliverer;
  };
  const sync = (ids: readonly string[], { tenant = tenantId, fields = {} } = {}) =>
    store.upsert({
      tenantId: tenant,
      patches: ids.map((accountId) => ({ accountId, fields })),
      requestId: 'r',
      senderId: 'k',
      at: Date.now(),
      bytes: 1,
    });
  const ids = (count: number, prefix = 'a') => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
  const find = (id: string) => store.webhooks.find(tenantId, id);
  const log = (id: string) => store.deliveryLog.page(tenantId, id, undefined, 100);

  it('in the order of the feed, in batches, the next one after the last was taken', async () => {
    const { id } = await add({ batchSize: 7 });
    await sync(ids(25));
    start();
    await expect.poll(() => receiver.accounts).toEqual(ids(25));
    expect(receiver.messages.map(({ events }) => events.length)).toEqual([7, 7, 7, 4]);
    await sync(ids(3, 'b'));
    await expect.poll(() => receiver.accounts).toEqual([...ids(25), ...ids(3, 'b')]);
    expect([receiver.mostOpen, new Set(receiver.messages.map((one) => one.id)).size]).toEqual([1, 5]);
    await expect.poll(async () => (await find(id))?.position).toEqual(await store.feed.end(tenantId));
    const [headers] = receiver.messages.map((message) => message.headers);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^account-sync\/\d/),
      'webhook-signature': expect.stringMatching(/^v1,\S{44}$/),
    });
  });

  it('again with the same id after a failure, whatever was added meanwhile', async () => {
    const { id } = await add();
    const upgrade: Reply = (response) =>
      void response.socket?.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      );
    const redirect = answer(302, { location: receiver.url });
    receiver.next.push(cut, answer(500, {}, 'out of order'), redirect, upgrade);
    await sync(ids(2));
    start();
    await expect.poll(() => receiver.messages.length).toBe(1);
    await sync(['later']);
    await expect.poll(() => receiver.accounts).toEqual([...ids(2), 'later']);
    expect(receiver.messages.map(({ events }) => events.length)).toEqual([2, 2, 2, 2, 2, 1]);
    const [first, ...others] = receiver.messages;
    expect(others.slice(0, 4).map((one) => [one.id, one.body])).toEqual(
      Array(4).fill([first?.id, first?.body]),
    );
    const failed = async () => (await log(id)).filter(({ error }) => error !== null);
    // Messages that are taken within a second share an entry: these two may.
    const taken = async () => (await log(id)).filter(({ error }) => error === null);
    const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
    await expect.poll(async () => total((await taken()).map(({ events }) => events))).toBe(3);
    expect(total((await taken()).map(({ deliveries }) => deliveries))).toBe(2);
    expect((await failed()).map((one) => [one.attempt, one.status, one.error])).toEqual([
      [4, null, 'It answered 101.'],
      [3, 302, 'It answered 302; redirects are not followed.'],
      [2, 500, 'It answered 500.'],
      [1, null, 'It closed the connection before it answered.'],
    ]);
    const [, , second] = await failed();
    expect(second).toMatchObject({ answer: 'out of order', events: 2, messageId: first?.id });
    expect(await find(id)).toMatchObject({ failures: 0, failingSince: null, retryAt: null, lastError: null });
  });

  it('again with the same id by the next process, if it is not known whether they were taken', async () => {
    await add({ batchSize: 3 });
    receiver.reply = hang;
    await sync(ids(2));
    const first = start({ answerMs: 60_000 });
    await expect.poll(() => receiver.messages.length).toBe(1);
    await first.close();
    await sync(['later']);
    receiver.reply = answer(200);
    start();
    await expect.poll(() => receiver.accounts).toEqual([...ids(2), 'later']);
    expect(receiver.messages[1]).toMatchObject({
      id: receiver.messages[0]?.id,
      body: receiver.messages[0]?.body,
    });
    expect(receiver.messages[2]?.events).toHaveLength(1);
  });

  it('to others, while one does not answer', async () => {
    const slow = await WebhookReceiver.start();
    slow.reply = hang;
    await add({ url: slow.url });
    await add();
    await sync(['a']);
    start({ answerMs: 60_000 });
    await expect.poll(() => receiver.accounts).toEqual(['a']);
    for (const id of ids(5)) {
      await sync([id]);
      await expect.poll(() => receiver.accounts).toContain(id);
    }
    expect([slow.messages.length, slow.mostOpen]).toEqual([1, 1]);
  });

  it('with few large messages of a tenant at a time, which delay no other tenant', async () => {
    const slow = await WebhookReceiver.start();
    const held: ServerResponse[] = [];
    slow.reply = (response) => void held.push(response);
    for (let n = 0; n < 4; n += 1) await add({ url: slow.url });
    await sync(['large'], { fields: { text: 'x'.repeat(17 * 1024 * 1024) } });
    const other = await createTenant(store, `other-${tenants}`);
    await addTo(other);
    start({ answerMs: 60_000 });
    await expect.poll(() => slow.open).toBe(1);
    await sync(['small'], { tenant: other });
    await expect.poll(() => receiver.accounts).toEqual(['small']);
    expect(slow.mostOpen).toBe(1);
    slow.reply = taken;
    for (const response of held) response.end();
    await expect.poll(() => slow.messages.length).toBe(4);
  });

  it('to tenants separately', async () => {
    const other = await createTenant(store, `other-${tenants}`);
    const second = await WebhookReceiver.start();
    await add();
    await addTo(other, { url: second.url });
    await sync(ids(3));
    await sync(ids(4, 'o'), { tenant: other });
    start();
    await expect.poll(() => [receiver.accounts, second.accounts]).toEqual([ids(3), ids(4, 'o')]);
  });

  it('until a receiver answers 410, which disables it', async () => {
    const { id } = await add();
    receiver.next.push(answer(410));
    await sync(['a']);
    start();
    await expect
      .poll(() => find(id))
      .toMatchObject({ state: 'disabled', reason: 'It answered 410: it is gone.' });
    expect(await store.webhooks.counts(tenantId)).toEqual({
      delivering: 0,
      failing: 0,
      paused: 0,
      stopped: 1,
    });
    await sync(['b']);
    await store.webhooks.resume(tenantId, id, by);
    await expect.poll(() => receiver.accounts).toEqual(['a', 'b']);
  });

  it('for three days of failures; then the webhook is paused, and continues where it was', async () => {
    const { id } = await add();
    receiver.reply = answer(503);
    await sync(['a']);
    let later = 0;
    start({ clock: () => Date.now() + later });
    await expect.poll(async () => (await find(id))?.failures).toBeGreaterThan(1);
    later = 3 * DAY - 60_000;
    const { length } = receiver.messages;
    await expect.poll(() => receiver.messages.length).toBeGreaterThan(length + 1);
    expect(await find(id)).toMatchObject({ state: 'active', lastError: 'It answered 503.' });
    later += 120_000;
    await expect
      .poll(() => find(id))
      .toMatchObject({
        state: 'paused',
        reason: 'It has taken nothing for three days. The last attempt: It answered 503.',
        position: BEGINNING,
      });
    const tried = receiver.messages.length;
    await sync(['b']);
    receiver.reply = answer(204);
    await store.webhooks.resume(tenantId, id, by);
    await expect.poll(() => receiver.accounts).toEqual(['a', 'b']);
    expect(receiver.messages.slice(0, tried).every((one) => one.id === receiver.messages[0]?.id)).toBe(true);
  });

  it('not before the receiver wants them again', async () => {
    const { id } = await add();
    receiver.next.push(answer(429, { 'retry-after': '3600' }));
    await sync(['a']);
    start();
    await expect.poll(async () => ((await find(id))?.retryAt ?? 0) - Date.now()).toBeGreaterThan(3_000_000);
    expect(receiver.messages).toHaveLength(1);
    await store.webhooks.resume(tenantId, id, by);
    await expect.poll(() => receiver.messages.length).toBe(2);
  });

  it('without what a filter leaves out', async () => {
    await add({ filter: { sources: [], fields: ['licenses'], values: { tier: ['gold'] } } });
    await sync(['gold', 'other'], { fields: { licenses: 1, tier: 'silver' } });
    await sync(['gold'], { fields: { tier: 'gold' } });
    await sync(['gold'], { fields: { licenses: 2 } });
    await sync(['other'], { fields: { licenses: 2 } });
    start();
    await sync(['last'], { fields: { licenses: 2, tier: 'gold' } });
    await expect.poll(() => receiver.accounts).toEqual(['gold', 'gold', 'last']);
    expect(receiver.messages.flatMap(({ events }) => events.map(({ type }) => type))).toEqual([
      'account.created',
      'account.updated',
      'account.created',
    ]);
  });

  it('again from a position on, with other ids', async () => {
    const { id } = await add();
    await sync(ids(3));
    start();
    await expect.poll(() => receiver.accounts).toEqual(ids(3));
    const cursor = await store.feed.end(tenantId);
    await sync(ids(2, 'b'));
    await expect.poll(() => receiver.accounts).toEqual([...ids(3), ...ids(2, 'b')]);
    await store.webhooks.replay(tenantId, id, cursor, by);
    await expect.poll(() => receiver.accounts).toEqual([...ids(3), ...ids(2, 'b'), ...ids(2, 'b')]);
  });

  it('by one of several processes, and by another after its end or its sudden death', async () => {
    await add({ batchSize: 1 });
    const stores = await Promise.all([0, 1].map(() => openStore({ database: database.url })));
    onTestFinished(async () => {
      for (const each of stores) await each.close();
    });
    const attempts = [0, 0, 0];
    const process = (n: number, by = stores[n] as Store) =>
      start({
        store: by,
        onAttempt: () => {
          attempts[n] = (attempts[n] ?? 0) + 1;
        },
      });
    // It dies with the lease.
    await store.deliveries.take('dead');
    const processes = [process(0), process(1)];
    await sync(ids(10));
    await expect.poll(() => receiver.accounts).toEqual(ids(10));
    await expect.poll(() => attempts.toSorted()).toEqual([0, 0, 10]);
    const [first] = processes.splice(attempts.indexOf(10), 1);
    await first?.close();
    await sync(ids(10, 'b'));
    await expect.poll(() => receiver.accounts).toEqual([...ids(10), ...ids(10, 'b')]);
    await expect.poll(() => attempts.toSorted()).toEqual([0, 10, 10]);
    expect(receiver.mostOpen).toBe(1);
  });

  it('of runs, with their counts', async () => {
    await add({ events: ['run.finished'] });
    const run = await store.runs.open({ tenantId, source: 'crm', senderId: 'k', at: Date.now() });
    await sync(['a']);
    await store.runs.end(tenantId, run.id, 'finished', Date.now());
    start();
    await expect
      .poll(() => receiver.messages.flatMap(({ events }) => events))
      .toMatchObject([
        { type: 'run.finished', data: { id: String(run.id), source: 'crm', state: 'finished' } },
      ]);
  });

  it('as soon as a source is late', async () => {
    await add({ events: ['source.late'] });
    const at = Date.now() - 2 * DAY;
    await store.directory.sources.set(tenantId, 'crm', { expectEveryMs: DAY }, { ...by, at });
    start();
    await expect
      .poll(() => receiver.messages.flatMap(({ events }) => events))
      .toMatchObject([
        { type: 'source.late', data: { name: 'crm', is_late: true, expect_every_seconds: 86_400 } },
      ]);
  });
});
