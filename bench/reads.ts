import { parseArgs } from 'node:util';
import { AccountSource } from './account-source.js';
import { interruption } from './interruption.js';
import { latencyPercentiles } from './latency-percentiles.js';
import { logProgress } from './log-progress.js';
import { mapSequentially } from './map-sequentially.js';
import { send } from './sockets.js';
import { storeAccounts } from './store-accounts.js';
import { figure, textTable } from './text-table.js';
import { ON_POSTGRES, ON_SQLITE, type Target, Workbench } from './workbench.js';
import { BATCH, batches, type Workload } from './workload.js';

/** Numbers of connections that send batches at the same time. */
const WRITERS = [0, 1, 8];

/** The paths to read. `n` varies with each call, so that the reads are spread over all stored accounts. */
const READS: Readonly<Record<string, (n: number, accounts: number) => string>> = {
  'one account': (n, accounts) => `/accounts/account-${1 + (n % accounts)}`,
  'page of 50': (n, accounts) => `/accounts?id_prefix=account-${1 + (n % accounts)}`,
  'page of 50 by name': (n, accounts) => `/accounts?name_prefix=account%20number%20${1 + (n % accounts)}`,
  'page of 50, newest change first': () => '/accounts?sort=-updated',
  'first page': () => '/accounts',
  'first page, by id from the end': () => '/accounts?sort=-id',
  'first page by name': () => '/accounts?sort=name',
  'first page by name from the end': () => '/accounts?sort=-name',
  'first page, oldest change first': () => '/accounts?sort=updated',
  'search of 1 letter': () => '/accounts?search=a',
  'search of 3 letters': () => '/accounts?search=acc',
  'search of 8 letters': () => '/accounts?search=account-',
  'search of a name': (n, accounts) => `/accounts?search=account%20number%20${1 + (n % accounts)}`,
  'search below one parent': (n) =>
    `/accounts?search=account%20number%20${1 + (n % 900)}&parent=holding-${n % 100}`,
  'children of one parent by name': (n) => `/accounts?parent=holding-${n % 100}&sort=name`,
  'one name prefix, newest change first': (n, accounts) =>
    `/accounts?name_prefix=account%20number%20${1 + (n % accounts)}&sort=-updated`,
  'by an attribute without an index': () => '/accounts?attribute=licenses:1000000',
  '50 children': (n) => `/accounts/holding-${n % 100}/children`,
  'history of one': (n, accounts) => `/accounts/account-${1 + (n % accounts)}/history`,
  'history of one, page of 50': (n) => `/accounts/changed-${1 + (n % BATCH)}/history`,
  '50 changes': () => '/changes',
  'the last 20 changes': () => '/changes?last=20',
};
const STRIDE = 7_368_787;
/** Of each account with a long history. */
const CHANGES = 60;

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '5' },
  },
});

/** Measures the latency of single reads, one after the other, by number of concurrent writers. */
await Workbench.use(async (workbench) => {
  const accounts = Number(values.accounts);
  const tables = await mapSequentially([ON_SQLITE, ON_POSTGRES] as const, async (name) => {
    const settings = await workbench.emptyStore(name);
    const target = await workbench.startService(name, settings);
    logProgress(`${name}: storing ${accounts} accounts`);
    await storeAccounts(target, target.source, accounts);
    await storeHistories(target);
    if (name === ON_POSTGRES) await workbench.settlePostgres(settings.DATABASE_URL ?? '');
    const columns = await mapSequentially(WRITERS, (writers) => readBesideWriters(target, accounts, writers));
    await workbench.stop(target);
    const head = ['read', ...WRITERS.flatMap((writers) => [`${writers} writing: p50 ms`, 'p99 ms'])];
    const rows = Object.keys(READS).map((read) => [
      read,
      ...columns.flatMap(({ latencies }) => {
        const { p50, p99 } = latencyPercentiles(latencies.get(read) ?? []);
        return [figure(p50, 2), figure(p99, 2)];
      }),
    ]);
    const written = ['records written a second', ...columns.flatMap(({ rate }) => [figure(rate), ''])];
    return textTable(`${name}, ${accounts} accounts`, [head, ...rows, written]);
  });
  process.stdout.write(`\n${tables.join('\n')}\n`);
});

/** Stores one batch of accounts and changes each of them many times. */
async function storeHistories({ url, key }: Target): Promise<void> {
  const source = new AccountSource('changed');
  for (const mix of ['new', ...Array.from({ length: CHANGES }, () => 'changed' as const)] as const) {
    const workload: Workload = { ...batches(mix), connections: 1 };
    let left = 1;
    const { failures } = await send({ url, key, source, workload }, () => left-- === 0);
    if (failures > 0) throw new Error('A batch failed.');
  }
}

async function readBesideWriters(target: Target, accounts: number, writers: number) {
  const seconds = Number(values.seconds) * Object.keys(READS).length;
  logProgress(`${target.name}: reading for ${seconds} s while ${writers} write`);
  let isOver = false;
  const workload: Workload = { ...batches('mixed'), connections: writers };
  const { url, key, source } = target;
  const writing = writers === 0 ? undefined : send({ url, key, source, workload }, () => isOver);
  const startedAt = performance.now();
  const latencies = new Map(Object.keys(READS).map((read): [string, number[]] => [read, []]));
  let n = 0;
  // One of each in turn, so that every kind of read meets the same load.
  while (performance.now() - startedAt < seconds * 1_000) {
    for (const [read, pathOf] of Object.entries(READS)) {
      interruption.throwIfAborted();
      n = (n + STRIDE) % 1_000_000_007;
      const path = `/api/v2${pathOf(n, accounts)}`;
      const sentAt = performance.now();
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
      await response.arrayBuffer();
      const ms = performance.now() - sentAt;
      if (!response.ok) throw new Error(`${path} returned ${response.status}.`);
      latencies.get(read)?.push(ms);
    }
  }
  isOver = true;
  const { requests = 0, failures = 0 } = (await writing) ?? {};
  if (failures > 0) throw new Error(`${failures} of ${requests} batches failed.`);
  return { latencies, rate: (requests * BATCH) / seconds };
}
