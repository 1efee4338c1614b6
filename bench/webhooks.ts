import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chooseGenerator } from './choose-generator.js';
import { logProgress } from './log-progress.js';
import { cpuOf } from './process-usage.js';
import { median, pushBatches } from './push-batches.js';
import { figure, textTable } from './text-table.js';
import type { Received } from './webhook-receiver.js';
import { ON_POSTGRES, ON_SQLITE, type Target, Workbench } from './workbench.js';
import { batches, singles, type Workload } from './workload.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
    endpoints: { type: 'string', default: '10' },
    events: { type: 'string', default: '200000' },
    only: { type: 'string' },
    load: { type: 'string', default: '' },
  },
});
const SECONDS = Number(values.seconds);
const ROUNDS = Number(values.rounds);
const ENDPOINTS = Number(values.endpoints);
const EVENTS = Number(values.events);

const WORKLOADS: Readonly<Record<string, Workload>> = {
  'single upserts': singles(64, 'mixed'),
  'batches of 200': batches('mixed'),
};

const HEAD = [
  '',
  'records/s',
  'of without',
  'lag p50, ms',
  'p99',
  'CPU µs/record without',
  'with',
  'receiver',
];

/** A process that takes messages. */
class Receiver {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<Receiver> {
    const child = fork(fileURLToPath(new URL('./webhook-receiver.js', import.meta.url)));
    const [{ port }] = await once(child, 'message');
    return new Receiver(child, port);
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  async received(): Promise<Received> {
    const answered = once(this.#child, 'message');
    this.#child.send('report');
    const [received] = await answered;
    return received;
  }

  stop(): void {
    this.#child.disconnect();
  }
}

/** What one load on a service without webhooks, and then on one with, has shown. */
interface Round {
  readonly rate: number;
  /** Of the rate without. */
  readonly ratio: number;
  readonly lags: readonly number[];
  /** Processor time per record, in microseconds: of the services without and with webhooks, and of the receiver. */
  readonly cpu: readonly [without: number, withWebhooks: number, receiver: number];
}

/**
 * Compares the rate of writes of a service without webhooks with one that has some, in turn, and measures how late their
 * events are; then how fast one endpoint takes events that wait for it.
 */
await Workbench.use(async (workbench) => {
  const generator = chooseGenerator();
  logProgress(generator.name);
  for (const name of [ON_SQLITE, ON_POSTGRES] as const) {
    if (values.only !== undefined && !name.toLowerCase().includes(values.only.toLowerCase())) continue;
    const start = async () => {
      const settings = {
        ...(await workbench.emptyStore(name)),
        ACCOUNT_SYNC_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
      };
      return workbench.startService(name, settings);
    };
    const [without, withWebhooks] = [await start(), await start()];
    const receiver = await Receiver.start();
    for (let i = 0; i < ENDPOINTS; i += 1) await createWebhook(withWebhooks, `${receiver.url}/${i}`);
    const rows: string[][] = [];
    for (const [kind, workload] of Object.entries(WORKLOADS)) {
      if (!kind.includes(values.load)) continue;
      const rounds: Round[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        const measured = await compare(generator, workload, without, withWebhooks, receiver, round % 2 === 0);
        logProgress(`${kind}: ${describe([measured]).join(', ')}`);
        // The first round warms up.
        if (round > 0) rounds.push(measured);
      }
      rows.push([kind, ...describe(rounds)]);
    }
    const { misplaced, repeated, events } = await receiver.received();
    process.stdout.write(`\n${textTable(`${ENDPOINTS} endpoints, ${name}`, [HEAD, ...rows])}`);
    const counts = [...new Set(events)].join(' or ');
    process.stdout.write(
      `Each endpoint got ${counts} events; ${misplaced} misplaced, ${repeated} repeated\n`,
    );
    receiver.stop();
    await workbench.stop(withWebhooks);
    await workbench.stop(without);
    const fresh = await start();
    const fast = await Receiver.start();
    await pushBatches(fresh, { first: 0, accounts: EVENTS, version: 0 });
    const rate = await measureBacklog(fresh, fast);
    process.stdout.write(`${EVENTS} events that wait for one endpoint: ${figure(rate)}/s\n`);
    fast.stop();
    await workbench.stop(fresh);
  }
});

function describe(rounds: readonly Round[]): string[] {
  const lags = rounds.flatMap(({ lags }) => lags).toSorted((a, b) => a - b);
  const cpu = [0, 1, 2].map((i) => median(rounds.map((round) => round.cpu[i] ?? Number.NaN)));
  return [
    figure(median(rounds.map(({ rate }) => rate))),
    figure(median(rounds.map(({ ratio }) => ratio)), 2),
    figure(lags[Math.floor(lags.length * 0.5)]),
    figure(lags[Math.floor(lags.length * 0.99)]),
    ...cpu.map((time) => figure(time)),
  ];
}

/** Ends when all endpoints have got all events. */
async function compare(
  generator: ReturnType<typeof chooseGenerator>,
  workload: Workload,
  without: Target,
  withWebhooks: Target,
  receiver: Receiver,
  isFirst: boolean,
): Promise<Round> {
  const rates = new Map<Target, number>();
  const cpu = new Map<Target, number>();
  let receiverCpu = Number.NaN;
  let lags: readonly number[] = [];
  for (const target of isFirst ? [without, withWebhooks] : [withWebhooks, without]) {
    const load = { url: target.url, key: target.key, source: target.source, workload };
    await receiver.received();
    const before = [cpuOf(target.pid), cpuOf(receiver.pid)] as const;
    const { requests, seconds, failures } = await generator.run(load, SECONDS, false);
    if (failures > 0) throw new Error(`${failures} requests failed`);
    const records = requests * workload.records;
    rates.set(target, records / seconds);
    if (target === withWebhooks) {
      lags = (await receiver.received()).lags;
      await untilReceived(receiver, await changesOf(target));
      receiverCpu = (cpuOf(receiver.pid) - before[1]) / records;
    }
    cpu.set(target, (cpuOf(target.pid) - before[0]) / records);
  }
  const [rate, rateWithout] = [rates.get(withWebhooks) ?? 0, rates.get(without) ?? 0];
  const times = [cpu.get(without) ?? 0, cpu.get(withWebhooks) ?? 0, receiverCpu] as const;
  return { rate, ratio: rate / rateWithout, lags, cpu: times };
}

async function measureBacklog(target: Target, receiver: Receiver): Promise<number> {
  const id = await createWebhook(target, `${receiver.url}/0`);
  const rates: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const startedAt = performance.now();
    await post(target, `/webhooks/${id}/replay`, { after: '0~0' });
    while (((await receiver.received()).events[0] ?? 0) < EVENTS) await pause(5);
    rates.push(EVENTS / ((performance.now() - startedAt) / 1000));
    logProgress(`${figure(rates.at(-1))} events a second`);
    // Its ids and positions begin again.
    await fetch(`${receiver.url}/reset`);
  }
  return median(rates);
}

async function untilReceived(receiver: Receiver, changes: number): Promise<void> {
  while ((await receiver.received()).events.some((count) => count < changes)) await pause(20);
}

async function createWebhook(target: Target, url: string): Promise<string> {
  const { id } = (await post(target, '/webhooks', {
    url,
    events: ['account.created', 'account.updated'],
  })) as {
    readonly id: string;
  };
  return id;
}

async function post({ url, key }: Target, path: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v2${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}

/** How many accounts a service has created and updated since its start. */
async function changesOf({ url, key }: Target): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  const counts = (await response.text()).matchAll(
    /^account_sync_results_total\{result="(?:created|updated)"\} (\d+)$/gm,
  );
  return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}
