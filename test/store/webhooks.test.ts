import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../dist/domain/webhook.js';
import { TooManyWebhooks } from '../../dist/store/errors.js';
import { openStore } from '../../dist/store/open-store.js';
import { BEGINNING } from '../../dist/store/schema/position.js';
import type { Store } from '../../dist/store/store.js';
import type { WebhookDelivery } from '../../dist/store/webhooks/delivery-log.js';
import type { WebhookProgress } from '../../dist/store/webhooks/webhook-deliveries.js';
import { type Database, databases } from '../support/databases.js';
import { createTenant } from './store-contract.js';

const NOON = Date.UTC(2027, 0, 31, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;
const SETTINGS = {
  url: 'https://example.com/events',
  description: 'To the CRM',
  events: EVENT_TYPES,
  filter: { sources: ['crm'], fields: [], values: { custom_Tier: ['gold'] } },
  batchSize: 100,
};
const by = (at = NOON) => ({ at, senderId: 'k', requestId: 'r' });

describe.each(databases)('webhooks on %s', (_name, createDatabase) => {
  let database: Database;
  let store: Store;
  let tenantId: number;
  let tenants = 0;
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
    await store.deliveries.release('other');
    await store.deliveries.release('me');
  });

  const add = async (settings = {}) =>
    (await store.webhooks.add(tenantId, { ...SETTINGS, ...settings }, BEGINNING, by())).webhook;
  const sync = (accountId: string, at = NOON) =>
    store.upsert({
      tenantId,
      patches: [{ accountId, fields: { licenses: at } }],
      requestId: 'r',
      senderId: 'k',
      at,
      bytes: 1,
    });
  const endpoint = async (id: string) => (await store.deliveries.endpoints()).find((one) => one.id === id);
  /** What the feed has for webhooks. */
  const events = async () => {
    const { sets: found } = await store.feed.sets(tenantId, BEGINNING, 100);
    return found.flatMap(({ event, changes }): unknown[] =>
      event === null ? changes.map(({ kind, accountId }) => `${kind} ${accountId}`) : [event],
    );
  };
  const audit = async () =>
    (await store.directory.audit(tenantId, undefined, 100)).map(({ action, senderId }) => [action, senderId]);

  it('are created with a secret, changed and removed, and each change is in the audit', async () => {
    const { webhook, secret } = await store.webhooks.add(
      tenantId,
      SETTINGS,
      { commitOrder: 3, seq: 9 },
      by(),
    );
    expect(webhook).toEqual({
      id: expect.stringMatching(/^wh_[0-9a-f]{12}$/),
      tenantId,
      ...SETTINGS,
      state: 'active',
      reason: null,
      position: { commitOrder: 3, seq: 9 },
      generation: 0,
      failures: 0,
      failingSince: null,
      retryAt: null,
      lastError: null,
      deliveredAt: null,
      previousUntil: null,
      createdAt: NOON,
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { id } = webhook;
    const changed = await store.webhooks.change(tenantId, id, { description: '', batchSize: 1 }, by());
    expect(changed).toEqual({ ...webhook, description: '', batchSize: 1 });
    expect(await store.webhooks.pause(tenantId, id, by())).toMatchObject({ state: 'paused', reason: null });
    expect(await store.webhooks.resume(tenantId, id, by())).toMatchObject({ state: 'active' });
    const replayed = await store.webhooks.replay(tenantId, id, BEGINNING, by());
    expect(replayed).toEqual({ ...changed, position: BEGINNING, generation: 1 });
    expect(await store.webhooks.list(tenantId)).toEqual([replayed]);
    expect(await store.webhooks.remove(tenantId, id, by())).toBe(true);
    expect(await store.webhooks.find(tenantId, id)).toBe(undefined);
    const actions = ['remove', 'replay', 'resume', 'pause', 'change', 'create'];
    expect(await audit()).toEqual([
      ...actions.map((action) => [`webhook.${action}`, 'k']),
      ['tenant.create', null],
    ]);
    expect(JSON.stringify(await store.directory.audit(tenantId, undefined, 100))).not.toContain('whsec_');
  });

  it('belong to one tenant', async () => {
    const { id } = await add();
    const other = await createTenant(store, `other-${tenants}`);
    expect([
      await store.webhooks.list(other),
      await store.webhooks.find(other, id),
      await store.webhooks.change(other, id, { description: 'x' }, by()),
      await store.webhooks.pause(other, id, by()),
      await store.webhooks.resume(other, id, by()),
      await store.webhooks.replay(other, id, BEGINNING, by()),
      await store.webhooks.rotateSecret(other, id, by()),
      await store.webhooks.remove(other, id, by()),
      await store.webhooks.secrets(other, id, NOON),
      await store.deliveryLog.page(other, id, undefined, 10),
    ]).toEqual([[], ...Array(6).fill(undefined), false, undefined, []]);
    expect(await store.webhooks.find(tenantId, id)).toMatchObject({ description: 'To the CRM' });
  });

  it('are 50 at most', async () => {
    for (let i = 0; i < 50; i += 1) await add();
    await expect(add()).rejects.toBeInstanceOf(TooManyWebhooks);
  });

  it('sign with both secrets for a day after one has replaced the other', async () => {
    const { webhook, secret } = await store.webhooks.add(tenantId, SETTINGS, BEGINNING, by());
    const { id } = webhook;
    expect(await store.webhooks.secrets(tenantId, id, NOON)).toEqual([secret]);
    const rotated = await store.webhooks.rotateSecret(tenantId, id, by());
    expect(rotated?.webhook.previousUntil).toBe(NOON + DAY);
    expect(rotated?.secret).not.toBe(secret);
    expect(await store.webhooks.secrets(tenantId, id, NOON + DAY - 1)).toEqual([rotated?.secret, secret]);
    expect(await store.webhooks.secrets(tenantId, id, NOON + DAY)).toEqual([rotated?.secret]);
  });

  it('are delivered by one process at a time', async () => {
    const { deliveries } = store;
    expect(await deliveries.take('me')).toBe(true);
    expect(await deliveries.take('me')).toBe(true);
    expect(await deliveries.take('other')).toBe(false);
    expect([(await deliveries.state('me')).isTaken, (await deliveries.state('other')).isTaken]).toEqual([
      false,
      true,
    ]);
    expect([await deliveries.record('other', [], []), await deliveries.record('me', [], [])]).toEqual([
      false,
      true,
    ]);
    await deliveries.release('other');
    expect(await deliveries.take('other')).toBe(false);
    await deliveries.release('me');
    expect(await deliveries.take('other')).toBe(true);
  });

  const progressOf = (id: string, given: Partial<WebhookProgress> = {}): WebhookProgress => ({
    id,
    generation: 0,
    position: { commitOrder: 1, seq: 255 },
    end: { commitOrder: 1, seq: 511 },
    failures: 2,
    failingSince: NOON,
    retryAt: NOON + 1,
    lastError: 'It answered 500.',
    deliveredAt: NOON - 1,
    knownFailures: 0,
    ...given,
  });

  it('store their progress, unless they were replayed meanwhile', async () => {
    const { id } = await add();
    await store.deliveries.take('me');
    expect(await store.deliveries.record('me', [progressOf(id)], [])).toBe(true);
    const { knownFailures, ...stored } = progressOf(id);
    expect(await endpoint(id)).toMatchObject(stored);
    await store.webhooks.replay(tenantId, id, BEGINNING, by());
    expect(await store.deliveries.record('me', [progressOf(id)], [])).toBe(true);
    expect(await endpoint(id)).toMatchObject({ position: BEGINNING, end: null, failures: 0, generation: 1 });
  });

  it('do not store failures of before they were resumed', async () => {
    const { id } = await add();
    await store.deliveries.take('me');
    await store.deliveries.record('me', [progressOf(id)], []);
    await store.webhooks.resume(tenantId, id, by());
    const position = { commitOrder: 2, seq: 255 };
    await store.deliveries.record('me', [progressOf(id, { failures: 3, knownFailures: 2, position })], []);
    expect(await endpoint(id)).toMatchObject({ position, failures: 0, retryAt: null, lastError: null });
  });

  it('that fail are tried at once after their URL has changed', async () => {
    const { id } = await add();
    await store.deliveries.take('me');
    await store.deliveries.record('me', [progressOf(id, { failures: 3, knownFailures: 0 })], []);
    expect(await store.webhooks.counts(tenantId)).toMatchObject({ delivering: 0, failing: 1 });
    const before = await endpoint(id);
    await store.webhooks.change(tenantId, id, { url: before?.url ?? '', description: 'x' }, by());
    expect(await endpoint(id)).toMatchObject({ failures: 3 });
    await store.webhooks.change(tenantId, id, { url: 'https://example.com/other' }, by());
    const now = { failures: 0, failingSince: null, retryAt: null, lastError: null };
    expect(await endpoint(id)).toMatchObject({ url: 'https://example.com/other', ...now });
    expect(await store.webhooks.counts(tenantId)).toMatchObject({ delivering: 1, failing: 0 });
  });

  it('do not repeat a batch as it was after their selection of events has changed', async () => {
    const { id } = await add();
    await store.deliveries.take('me');
    await store.deliveries.record('me', [progressOf(id)], []);
    await store.webhooks.change(tenantId, id, { description: 'x' }, by());
    expect((await endpoint(id))?.end).toEqual({ commitOrder: 1, seq: 511 });
    await store.webhooks.change(tenantId, id, { batchSize: 7 }, by());
    expect((await endpoint(id))?.end).toBe(null);
  });

  it('are paused or disabled by the process that delivers, and by no other', async () => {
    const webhook = await add();
    const stop = { state: 'disabled', reason: 'It answered 410: it is gone.', at: NOON } as const;
    expect(await store.deliveries.stop('me', webhook, stop)).toBe(false);
    await store.deliveries.take('me');
    const none = { delivering: 0, failing: 0, paused: 0, stopped: 0 };
    expect(await store.webhooks.counts(tenantId)).toEqual({ ...none, delivering: 1 });
    expect(await store.deliveries.stop('me', webhook, stop)).toBe(true);
    expect(await store.webhooks.counts(tenantId)).toEqual({ ...none, stopped: 1 });
    expect(await store.webhooks.find(tenantId, webhook.id)).toMatchObject({
      state: 'disabled',
      reason: stop.reason,
    });
    expect(await endpoint(webhook.id)).toBe(undefined);
    expect((await audit())[0]).toEqual(['webhook.disabled', null]);
    expect(await store.webhooks.resume(tenantId, webhook.id, by())).toMatchObject({
      state: 'active',
      reason: null,
    });
    expect(await store.webhooks.counts(tenantId)).toEqual({ ...none, delivering: 1 });
    await store.webhooks.pause(tenantId, webhook.id, by());
    expect(await store.webhooks.counts(tenantId)).toEqual({ ...none, paused: 1 });
  });

  const deliveryOf = (webhookId: string, at: number): WebhookDelivery => ({
    webhookId,
    tenantId,
    at,
    messageId: `msg_${at}`,
    attempt: 1,
    deliveries: 1,
    events: 3,
    status: 200,
    error: null,
    tookMs: 12,
    answer: 'ok',
  });

  it('keep their newest 1,000 deliveries, for as long as rejections are kept', async () => {
    const [one, two] = [await add(), await add()];
    await store.deliveries.take('me');
    const all = Array.from({ length: 1_005 }, (_, i) => deliveryOf(one.id, NOON + i));
    await store.deliveries.record('me', [], [deliveryOf(two.id, NOON), ...all.slice(0, 500)]);
    await store.deliveries.record('me', [], all.slice(500));
    const page = await store.deliveryLog.page(tenantId, one.id, undefined, 2_000);
    expect(page.map(({ at }) => at - NOON)).toEqual(Array.from({ length: 1_000 }, (_, i) => 1_004 - i));
    const { webhookId, tenantId: _tenant, ...delivery } = deliveryOf(one.id, NOON + 1_003);
    const [next] = await store.deliveryLog.page(tenantId, one.id, page[0]?.id, 1);
    expect(next).toEqual({ id: expect.any(Number), ...delivery });
    const task = { what: 'deliveries', tenantId } as const;
    const ofTenant = async (now: number) =>
      (await store.jobs.findOld(now, 7)).filter((each) => each.tenantId === tenantId);
    expect(await ofTenant(NOON + 7 * DAY)).toEqual([]);
    expect(await ofTenant(NOON + 8 * DAY)).toEqual([task]);
    for (let step: typeof task | undefined = task; step !== undefined; ) {
      step = (await store.jobs.prune(step, NOON + 8 * DAY, 7)).next as typeof task | undefined;
    }
    expect(await store.deliveryLog.page(tenantId, one.id, undefined, 10)).toEqual([]);
  });

  it('get the ends of runs and undos at their place in the feed, which has only changes', async () => {
    await sync('a');
    const start = { tenantId, source: 'crm', senderId: 'k', at: NOON };
    const run = await store.runs.open(start);
    await sync('b');
    await store.runs.end(tenantId, run.id, 'finished', NOON);
    await sync('c');
    const abandoned = await store.runs.open(start);
    await store.runs.end(tenantId, abandoned.id, 'abandoned', NOON);
    await expect
      .poll(events)
      .toEqual([
        'created a',
        'created b',
        { type: 'run.finished', run: run.id },
        'created c',
        { type: 'run.finished', run: abandoned.id },
      ]);
    const { entries, hasMore } = await store.feed.page(tenantId, BEGINNING, 100);
    expect([entries.map(({ accountId }) => accountId), hasMore]).toEqual([['a', 'b', 'c'], false]);
  });

  it('are told once that a source is late, and that it has recovered', async () => {
    await add();
    await store.directory.sources.set(tenantId, 'crm', { expectEveryMs: 10 * MINUTE }, by());
    const check = async (at: number) => {
      for (const tenant of await store.conditions.watched()) {
        if (tenant.tenantId === tenantId) await store.conditions.check(tenant, at);
      }
    };
    const found: unknown[] = [];
    await check(NOON + 10 * MINUTE);
    await sync('a');
    found.push('created a');
    await expect.poll(events).toEqual(found);
    await check(NOON + 11 * MINUTE);
    await check(NOON + 12 * MINUTE);
    found.push({ type: 'source.late', source: 'crm' });
    await expect.poll(events).toEqual(found);
    await store.directory.sources.set(tenantId, 'crm', { expectEveryMs: 60 * MINUTE }, by());
    await check(NOON + 13 * MINUTE);
    await check(NOON + 14 * MINUTE);
    found.push({ type: 'source.recovered', source: 'crm' });
    await expect.poll(events).toEqual(found);
    await store.directory.sources.set(tenantId, 'crm', { expectEveryMs: 10 * MINUTE }, by());
    await check(NOON + 15 * MINUTE);
    await store.directory.sources.set(tenantId, 'crm', { expectEveryMs: null }, by());
    await check(NOON + 16 * MINUTE);
    found.push({ type: 'source.late', source: 'crm' }, { type: 'source.recovered', source: 'crm' });
    await expect.poll(events).toEqual(found);
  });

  it('are told once of a burst of rejections', async () => {
    const { id } = await add({ events: ['rejections.burst'] });
    const reject = (at: number, count: number) =>
      store.jobs.recordRejections([{ tenantId, rejections: [], total: new Map([[at, count]]) }], at);
    const watched = () =>
      store.conditions.watched().then((all) => all.find((one) => one.tenantId === tenantId));
    const check = async (at: number) => {
      const tenant = await watched();
      if (tenant !== undefined) await store.conditions.check(tenant, at);
    };
    await reject(NOON, 60);
    await check(NOON);
    await reject(NOON + 2 * MINUTE, 39);
    await check(NOON + 2 * MINUTE);
    await sync('a');
    await expect.poll(events).toEqual(['created a']);
    await reject(NOON + 4 * MINUTE, 1);
    await check(NOON + 4 * MINUTE);
    await check(NOON + 4 * MINUTE);
    const burst = { type: 'rejections.burst', rejected: 100, seconds: 300 };
    await expect.poll(events).toEqual(['created a', burst]);
    await check(NOON + 20 * MINUTE);
    await reject(NOON + 21 * MINUTE, 250);
    await check(NOON + 21 * MINUTE);
    await expect.poll(events).toEqual(['created a', burst, { ...burst, rejected: 250 }]);
    await store.webhooks.pause(tenantId, id, by());
    expect(await watched()).toEqual({ tenantId, sources: false, rejections: true });
    await store.webhooks.remove(tenantId, id, by());
    expect(await watched()).toBe(undefined);
  });
});
