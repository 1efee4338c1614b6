/**
 * Timing attack test: does the time to reject a key depend on how much of the key is right?
 *
 * The method is that of dudect (Reparaz and others, 2017): send two classes of wrong keys in random order, and compute
 * Welch's t of their times. A t above 4.5 means that the classes can be distinguished.
 * `--rounds` applies to each class.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { logProgress } from './log-progress.js';

/** Loads modules of the built program, because the program reads files next to its modules. */
const built = (path: string) => import(new URL(`../../${path}`, import.meta.url).href);
const { readConfig }: typeof import('../src/config.js') = await built('config.js');
const { hashKey }: typeof import('../src/domain/api-key.js') = await built('domain/api-key.js');
const { buildServer }: typeof import('../src/http/server.js') = await built('http/server.js');
const { openStore }: typeof import('../src/store/open-store.js') = await built('store/open-store.js');

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10000' } } });
const rounds = Number(values.rounds);
const LIVE = 'a-key-of-48-characters-that-an-operator-brought-';
const random = (length: number) =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(length))).toString('hex');

/** Makes one call of a class, with a new random value each time. */
type CallClass = () => Promise<unknown>;

async function timesOf(classes: readonly [CallClass, CallClass]): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  while (Math.min(times[0].length, times[1].length) < rounds) {
    const which = Math.random() < 0.5 ? 0 : 1;
    const startedAt = process.hrtime.bigint();
    await classes[which]();
    times[which].push(Number(process.hrtime.bigint() - startedAt));
  }
  return times;
}

/** Drops the slowest tenth of all times. Delays of a busy machine can hide differences, but do not create any. */
function dropSlowest([one, other]: readonly [number[], number[]]): [number[], number[]] {
  const all = [...one, ...other].sort((a, b) => a - b);
  const limit = all[Math.floor(all.length * 0.9)] ?? 0;
  return [one.filter((time) => time < limit), other.filter((time) => time < limit)];
}

function statisticsOf(times: readonly number[]): { readonly mean: number; readonly varianceOfMean: number } {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const variance = times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (times.length - 1);
  return { mean, varianceOfMean: variance / times.length };
}

async function compare(name: string, classes: readonly [CallClass, CallClass]): Promise<void> {
  const [one, other] = dropSlowest(await timesOf(classes)).map(statisticsOf) as [
    ReturnType<typeof statisticsOf>,
    ReturnType<typeof statisticsOf>,
  ];
  const t = (one.mean - other.mean) / Math.sqrt(one.varianceOfMean + other.varianceOfMean);
  const means = `${(one.mean / 1_000).toFixed(2)} and ${(other.mean / 1_000).toFixed(2)} µs`;
  process.stdout.write(`${name}: t = ${t.toFixed(2)}, ${means}, ${rounds} or more of each\n`);
}

const directory = mkdtempSync(join(tmpdir(), 'account-sync-bench-'));
const store = await openStore({ database: `sqlite:${directory}` });
const app = await buildServer({
  config: readConfig({}),
  store,
  clock: Date.now,
  logger: pino({ level: 'silent' }),
});
await store.directory.createTenant('acme', {}, Date.now());
const hash = hashKey(LIVE);
const key = {
  id: 'live',
  tenantId: 1,
  hash,
  scopes: ['read' as const],
  label: '',
  createdAt: 1,
  expiresAt: null,
};
await store.directory.keys.add(key);

const request = (sent: string) => () =>
  app.inject({ url: '/api/v2/status', headers: { authorization: `Bearer ${sent}` } });
const { keys } = store.directory;
logProgress('warming up');
for (let i = 0; i < 2_000; i += 1) await request(random(24))();
await compare('requests: right up to the last 8 of 48 characters, or wrong from the first', [
  () => request(LIVE.slice(0, 40) + random(4))(),
  () => request(random(24))(),
]);
await compare('lookups: a hash right up to the last 8 of 64 digits, or wrong from the first', [
  () => keys.find(hash.slice(0, 56) + random(4)),
  () => keys.find(random(32)),
]);
await compare('for comparison, requests: a live key, or an unknown key', [
  request(LIVE),
  () => request(random(24))(),
]);
await app.close();
await store.close();
rmSync(directory, { recursive: true });
