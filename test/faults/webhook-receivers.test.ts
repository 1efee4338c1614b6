import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Random } from '../../dist/cli/demo/random.js';
import { Deliverer } from '../../dist/delivery/deliverer.js';
import { HostPolicy } from '../../dist/delivery/host-policy.js';
import { MessageSender } from '../../dist/delivery/post-message.js';
import { EVENT_TYPES } from '../../dist/domain/webhook.js';
import { openStore } from '../../dist/store/open-store.js';
import { BEGINNING } from '../../dist/store/schema/position.js';
import type { Store } from '../../dist/store/store.js';
import { createTenant } from '../store/store-contract.js';
import { databases, urlForTest } from '../support/databases.js';
import { CollectingReceiver, type ReceiverFault } from './collecting-receiver.js';
import { compareWithFeed, waitForCollectors } from './compare-with-feed.js';
import { answerSlowly, cutAnswer, fail, neverAnswer } from './receiver-faults.js';
import { SeededRandom } from './seeded-random.js';
import { Trial } from './trial.js';

const ANSWER_MS = 500;
/** Each receiver is healthy after so many faults. Until then, writes go on. */
const FAULTS = 8;
const WRITERS = 3;
/** Requests of a writer before it waits until the healthy receiver has their events. */
const BURST = 20;
const MAX_ACCOUNTS = 12;

const by = { at: 1, senderId: null, requestId: null };
const filter = { sources: [], fields: [], values: {} };

describe.each(databases)('webhooks on %s', (name, createDatabase) => {
  it('get all events in order, and a healthy one at once, whatever their receivers do', async () => {
    const trial = new Trial(`${name}: webhooks to bad receivers`, { short: 1, long: 60 });
    const random = new SeededRandom(trial);
    const database = await urlForTest(createDatabase);
    const open = async () => {
      const store = await openStore({ database });
      onTestFinished(() => store.close());
      return store;
    };
    const [store, deliveringStore] = [await open(), await open()];
    const sender = new MessageSender(new HostPolicy(['127.0.0.1']), { answerMs: ANSWER_MS, bodyMs: 100 });
    onTestFinished(() => sender.close());
    const count = (figure: string, more: number) => {
      trial.figures[figure] = (trial.figures[figure] ?? 0) + more;
    };
    await trial.run(async (round) => {
      const tenantId = await createTenant(store, `round-${round}`);
      const receivers = await startReceivers(random);
      const collectors = receivers.map(({ collector }) => collector);
      const [healthy, ...bad] = receivers as [CollectingReceiver, ...CollectingReceiver[]];
      const ids: string[] = [];
      for (const { url, collector } of receivers) {
        const settings = {
          url,
          description: '',
          events: EVENT_TYPES,
          filter,
          batchSize: random.between(20, 100),
        };
        const { webhook, secret } = await store.webhooks.add(tenantId, settings, BEGINNING, by);
        collector.secret = secret;
        ids.push(webhook.id);
      }
      const errors: unknown[] = [];
      const deliverer = new Deliverer({
        store: deliveringStore,
        sender,
        holder: randomUUID(),
        retryMs: () => 20,
        onError: (error) => errors.push(error),
      });
      try {
        for (const one of bad) one.isBlocked = true;
        await writeBurst(store, tenantId, random);
        await compareWithFeed(store, tenantId, [healthy.collector]);
        for (const one of bad) one.isBlocked = false;
        const isOver = () => bad.every(({ faults }) => faults >= FAULTS);
        const writers = Array.from({ length: WRITERS }, async () => {
          const own = new Random(random.below(1_000_000));
          while (!isOver()) {
            const events = healthy.collector.events.length;
            await writeBurst(store, tenantId, own);
            await waitForCollectors(collectors, () => healthy.collector.events.length > events || isOver());
          }
        });
        await Promise.all(writers);
        trial.changes += await compareWithFeed(store, tenantId, collectors);
      } finally {
        await deliverer.close();
      }
      expect(errors).toEqual([]);
      for (const { faults } of bad) count('faults of receivers', faults);
      for (const { messages, repeated } of collectors) {
        count('messages', messages);
        count('repeated', repeated);
      }
      for (const id of ids) await store.webhooks.remove(tenantId, id, by);
    });
  });
});

/** The first one is healthy. */
function startReceivers(random: SeededRandom): Promise<CollectingReceiver[]> {
  const start = (name: string, fault: { fault?: ReceiverFault; share?: number; cutShare?: number } = {}) =>
    CollectingReceiver.start(name, { seed: random.below(1_000_000), most: FAULTS, ...fault });
  return Promise.all([
    start('healthy'),
    start('failing', { fault: fail, share: 0.5 }),
    start('hanging', { fault: neverAnswer, share: 0.3 }),
    start('slow', { fault: answerSlowly(1.2 * ANSWER_MS), share: 0.5 }),
    start('cutting requests', { cutShare: 0.5 }),
    start('cutting answers', { fault: cutAnswer, share: 0.5 }),
  ]);
}

async function writeBurst(store: Store, tenantId: number, random: Random): Promise<void> {
  for (let n = 0; n < BURST; n += 1) {
    const accounts = new Set(
      Array.from({ length: random.between(1, MAX_ACCOUNTS) }, () => `account-${random.between(1, 200)}`),
    );
    const fields = { licenses: random.between(1, 1_000_000) };
    await store.upsert({
      tenantId,
      patches: [...accounts].map((accountId) => ({ accountId, fields })),
      requestId: 'r',
      senderId: 'k',
      at: Date.now(),
      bytes: 1,
    });
  }
}
