/**
 * Whether the time of a refusal tells how much of a key is right (after dudect, Reparaz and others 2017): two kinds of wrong
 * keys in random order, Welch's t over their times. Above 4.5 the two can be told apart. `--rounds` is for each kind.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { say } from './say.js';

/** The program as it is built, since it reads files beside it. */
const built = (path: string) => import(new URL(`../../${path}`, import.meta.url).href);
const { readConfig }: typeof import('../src/config.js') = await built('config.js');
const { hashKey }: typeof import('../src/domain/api-key.js') = await built('domain/api-key.js');
const { buildServer }: typeof import('../src/http/server.js') = await built('http/server.js');
const { openStore }: typeof import('../src/store/open-store.js') = await built('store/open-store.js');

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '50000' } } });
const rounds = Number(values.rounds);
const LIVE = 'a-key-of-48-characters-that-an-operator-brought-';
const random = (length: number) =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(length))).toString('hex');

/** A class of calls, each with something new. */
type Kind = () => Promise<unknown>;

async function timesOf(kinds: readonly [Kind, Kind]): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  while (Math.min(times[0].length, times[1].length) < rounds) {
    const which = Math.random() < 0.5 ? 0 : 1;
    const startedAt = process.hrtime.bigint();
    await kinds[which]();
    times[which].push(Number(process.hrtime.bigint() - startedAt));
  }
  return times;
}

/** Without the slowest tenth of both together: what a busy machine adds hides differences, and makes none. */
function cropped([one, other]: readonly [number[], number[]]): [number[], number[]] {
  const all = [...one, ...other].sort((a, b) => a - b);
  const limit = all[Math.floor(all.length * 0.9)] ?? 0;
  return [one.filter((time) => time < limit), other.filter((time) => time < limit)];
}

function moments(times: readonly number[]): { readonly mean: number; readonly ofMean: number } {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const variance = times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (times.length - 1);
  return { mean, ofMean: variance / times.length };
}

async function compare(name: string, kinds: readonly [Kind, Kind]): Promise<void> {
  const [one, other] = cropped(await timesOf(kinds)).map(moments) as [
    ReturnType<typeof moments>,
    ReturnType<typeof moments>,
  ];
  const t = (one.mean - other.mean) / Math.sqrt(one.ofMean + other.ofMean);
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

const ask = (sent: string) => () =>
  app.inject({ url: '/api/v2/status', headers: { authorization: `Bearer ${sent}` } });
const { keys } = store.directory;
say('warming up');
for (let i = 0; i < 2_000; i += 1) await ask(random(24))();
await compare('requests: right up to the last 8 of 48 characters, or wrong from the first', [
  () => ask(LIVE.slice(0, 40) + random(4))(),
  () => ask(random(24))(),
]);
await compare('look-ups: a hash right up to the last 8 of 64 digits, or wrong from the first', [
  () => keys.find(hash.slice(0, 56) + random(4)),
  () => keys.find(random(32)),
]);
await compare('for comparison, requests: a live key, or none that is', [ask(LIVE), () => ask(random(24))()]);
await app.close();
await store.close();
rmSync(directory, { recursive: true });
