import { AccountSync } from '@account-sync/client';
import { CollectingReceiver } from './collecting-receiver.js';
import { waitForCollectors } from './compare-with-feed.js';
import { answerSlowly } from './receiver-faults.js';
import type { SeededRandom } from './seeded-random.js';

/** The setting of a service whose receivers are in the process of the test. */
export const ALLOW_RECEIVERS = { ACCOUNT_SYNC_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' };

/** The one with small batches falls behind under load and gets full ones; the other mostly gets partial ones. */
const BATCH_SIZES = [100, 25];
/** At times they are slow, so that a fault of the service often comes before the answer. */
const SLOW = { fault: answerSlowly(10), share: 0.3 };

/** Starts receivers, and creates a webhook for each that gets the events from now on. */
export async function subscribeReceivers(
  { url, key }: { readonly url: string; readonly key: string },
  random: SeededRandom,
): Promise<CollectingReceiver[]> {
  const { webhooks } = new AccountSync({ url, key });
  const receivers: CollectingReceiver[] = [];
  for (const batch_size of BATCH_SIZES) {
    const options = { ...SLOW, seed: random.below(1_000_000) };
    const receiver = await CollectingReceiver.start(`batches of ${batch_size}`, options);
    const { secret } = await webhooks.create({ url: receiver.url, batch_size });
    receiver.collector.secret = secret;
    receivers.push(receiver);
  }
  return receivers;
}

/** Waits until each receiver has got so many more messages. */
export async function waitForMessages(
  receivers: readonly CollectingReceiver[],
  count: number,
): Promise<void> {
  const collectors = receivers.map(({ collector }) => collector);
  const goals = collectors.map(({ messages }) => messages + count);
  const isReached = () => collectors.every(({ messages }, i) => messages >= (goals[i] ?? 0));
  await waitForCollectors(collectors, isReached);
}
