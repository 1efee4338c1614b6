import { expect, vi } from 'vitest';
import type { FeedSet } from '../../dist/store/changes/change-feed.js';
import { openStore } from '../../dist/store/open-store.js';
import { setOf } from '../../dist/store/schema/change-set.js';
import { BEGINNING, comparePositions } from '../../dist/store/schema/position.js';
import type { Store } from '../../dist/store/store.js';
import { feedBody, writePosition } from '../../dist/wire/change-body.js';
import { EVENT_OF_KIND } from '../../dist/wire/event-body.js';
import type { CollectingReceiver } from './collecting-receiver.js';
import { describeEvent, type EventCollector } from './event-collector.js';
import type { Trial } from './trial.js';

const PAGE_SIZE = 1_000;
/** How long it may take until all events have arrived; only what hangs takes longer. */
const PATIENCE_MS = 30_000;

/** Waits for a condition. Fails at once if a collector has found a problem. */
export async function waitForCollectors(
  collectors: readonly EventCollector[],
  condition: () => boolean | Promise<boolean>,
  timeout = PATIENCE_MS,
): Promise<void> {
  const check = async () => {
    const problems = collectors.flatMap((collector) => collector.problems);
    if (problems.length > 0) throw new Error(problems.slice(0, 10).join('\n'));
    return condition();
  };
  await vi.waitUntil(check, { timeout, interval: 5 }).catch((error) => {
    const states = collectors.map(
      ({ name, messages, events }) => `${name}: ${messages} messages, ${events.length} events`,
    );
    throw new Error(`${error.message} ${states.join('; ')}`);
  });
}

/**
 * Waits until all events of a feed have arrived, and checks that each collector has taken exactly these, in their order.
 * Nothing may be written meanwhile. Returns the number of events.
 */
export async function compareWithFeed(
  store: Store,
  tenantId: number,
  collectors: readonly EventCollector[],
): Promise<number> {
  const end = await store.feed.end(tenantId);
  const lastSet = { ...end, seq: setOf(end.seq) };
  await waitForCollectors(collectors, () =>
    collectors.every(({ last }) => last !== undefined && comparePositions(last, lastSet) >= 0),
  );
  const feed = await readFeed(store, tenantId);
  // The last message arrives before it is taken.
  await waitForCollectors(collectors, () => collectors.every(({ events }) => events.length >= feed.length));
  for (const { events } of collectors) {
    const different = feed.findIndex((event, i) => event !== events[i]);
    const around = (list: readonly string[]) => list.slice(Math.max(different - 2, 0), different + 3);
    if (different !== -1) expect(around(events)).toEqual(around(feed));
    expect(events.length).toBe(feed.length);
  }
  return feed.length;
}

/** Compares what receivers have taken with the feed of the tenant `default`, and adds figures to the trial. */
export async function compareReceivers(
  database: string,
  receivers: readonly CollectingReceiver[],
  trial: Trial,
): Promise<void> {
  const collectors = receivers.map(({ collector }) => collector);
  const store = await openStore({ database });
  try {
    const { id = 0 } = (await store.directory.findTenant({ name: 'default' })) ?? {};
    trial.changes += await compareWithFeed(store, id, collectors);
  } finally {
    await store.close();
  }
  for (const { messages, repeated } of collectors) {
    trial.figures.messages = (trial.figures.messages ?? 0) + messages;
    trial.figures.repeated = (trial.figures.repeated ?? 0) + repeated;
  }
}

async function readFeed(store: Store, tenantId: number): Promise<string[]> {
  const feed: string[] = [];
  for (let position = BEGINNING; ; ) {
    const { sets } = await store.feed.sets(tenantId, position, PAGE_SIZE);
    feed.push(...sets.flatMap(describeSet));
    const last = sets.at(-1);
    if (last === undefined) return feed;
    position = { commitOrder: last.commitOrder, seq: last.changes.at(-1)?.seq ?? last.seq };
  }
}

function describeSet({ event, changes, ...set }: FeedSet): string[] {
  const { commitOrder, seq } = set;
  if (event !== null) return [describeEvent(writePosition({ commitOrder, seq }), event.type, {})];
  return changes.map((change) => {
    const { cursor, ...data } = feedBody({ ...set, ...change, position: { commitOrder, seq: change.seq } });
    return describeEvent(cursor, EVENT_OF_KIND[change.kind], data);
  });
}
