import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { EventPages } from '../../dist/delivery/event-pages.js';
import { MessageBodies } from '../../dist/delivery/message-bodies.js';
import { readBatch } from '../../dist/delivery/read-batch.js';
import { EVENT_TYPES } from '../../dist/domain/webhook.js';
import { openStore } from '../../dist/store/open-store.js';
import { BEGINNING, comparePositions, type Position } from '../../dist/store/schema/position.js';
import type { Store } from '../../dist/store/store.js';
import type { Endpoint } from '../../dist/store/webhooks/webhook-deliveries.js';
import { createTenant } from '../store/store-contract.js';
import { freshSqlite, urlForTest } from '../support/databases.js';

const by = { at: 1, senderId: null, requestId: null };
const filter = { sources: [], fields: [], values: {} };

let store: Store;
let tenantId: number;
let endpoint: Endpoint;
beforeEach(async () => {
  store = await openStore({ database: await urlForTest(freshSqlite) });
  onTestFinished(() => store.close());
  tenantId = await createTenant(store, 'acme');
  const settings = { url: 'https://example.com', description: '', events: EVENT_TYPES, filter, batchSize: 2 };
  await store.webhooks.add(tenantId, settings, BEGINNING, by);
  [endpoint] = (await store.deliveries.endpoints()) as [Endpoint];
});

const sync = (accountId: string) =>
  store.upsert({
    tenantId,
    patches: [{ accountId, fields: {} }],
    requestId: 'r',
    senderId: 'k',
    at: 1,
    bytes: 1,
  });
const feedEnd = async () => (await store.deliveries.ends()).get(tenantId) as Position;
const idsOf = ({ events }: { events: readonly { accountId: string | null }[] }) =>
  events.map(({ accountId }) => accountId);

it('ends a batch after its last event, also if that was added after the end of the feed was read', async () => {
  const all = { ...endpoint, batchSize: 100 };
  await sync('a');
  const end = await feedEnd();
  await sync('b');
  const pages = new EventPages(store);
  const batch = await readBatch(pages, all, end);
  const again = await readBatch(new EventPages(store), { ...all, end: batch.end }, end);
  const messageOf = (events: typeof batch.events) => new MessageBodies().messageOf(all, events);
  expect([idsOf(batch), messageOf(again.events)]).toEqual([['a', 'b'], messageOf(batch.events)]);
  await sync('c');
  expect(idsOf(await readBatch(pages, { ...all, position: batch.end }, await feedEnd()))).toEqual(['c']);
});

it('does not go back to the end of the feed as it was read before', async () => {
  await sync('a');
  const end = await feedEnd();
  await sync('b');
  const pages = new EventPages(store);
  const full = await readBatch(pages, endpoint, end);
  const empty = await readBatch(pages, { ...endpoint, position: full.end }, end);
  expect([idsOf(full), idsOf(empty)]).toEqual([['a', 'b'], []]);
  expect(comparePositions(empty.end, full.end)).toBeGreaterThanOrEqual(0);
});

it('reads an event once for endpoints at different positions', async () => {
  for (const id of ['a', 'b', 'c']) await sync(id);
  const pages = new EventPages(store);
  const all = { ...endpoint, batchSize: 100 };
  const first = await readBatch(pages, { ...all, batchSize: 1 }, await feedEnd());
  const [, ...others] = (await readBatch(pages, all, await feedEnd())).events;
  const rest = await readBatch(pages, { ...all, position: first.end }, await feedEnd());
  expect(idsOf(rest)).toEqual(['b', 'c']);
  expect(rest.events.map((event, i) => event === others[i])).toEqual([true, true]);
});

it('does not rely on an empty page that another endpoint asked for earlier', async () => {
  await sync('a');
  const before = await feedEnd();
  // The query has found nothing, and its result arrives later.
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const results: unknown[] = [];
  const sets: Store['feed']['sets'] = async (...range) => {
    const found = await store.feed.sets(...range);
    results.push(found);
    await isReleased;
    return found;
  };
  const pages = new EventPages({ ...store, feed: { sets } } as unknown as Store);
  const afterFirst = { ...endpoint, position: before };
  const earlier = readBatch(pages, afterFirst, before);
  await expect.poll(() => results).toEqual([{ sets: [], isEnd: true }]);
  await sync('b');
  const later = readBatch(pages, afterFirst, await feedEnd());
  release();
  expect([idsOf(await earlier), idsOf(await later)]).toEqual([[], ['b']]);
});
