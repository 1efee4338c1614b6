import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { databases } from '../support/databases.js';
import { Service, type Settings } from '../support/service.js';
import type { Exchange } from './exchange.js';
import { LeavingLoad } from './leaving-load.js';
import { StoredAccounts } from './stored-accounts.js';
import { Trial } from './trial.js';

const GONE_WITHIN_MS = 10_000;
const SUCCESS = '{"success":true}';
const STOPPING =
  /"problem":"Record \d+: The service is stopping\. Send this record and those behind it again\."\}\}\n$/;
/** What a caller sees of a server that has closed the connection, or takes none. */
const GONE = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'];

describe.each(databases)('a server on %s that gets SIGTERM under load', (name, createDatabase) => {
  it('answers every request that it has let in, and keeps what it acknowledged', async () => {
    const { url, settings, remove } = await createDatabase();
    onTestFinished(remove);
    const trial = new Trial(`SIGTERM under load, ${name}`, { short: 3, long: 100 });
    let key: string | undefined;
    await trial.run(async (round) => {
      const drainSeconds = round % 2;
      const workers = name === 'PostgreSQL' && round % 3 === 0 ? 2 : 1;
      const service = await start(settings, drainSeconds, workers);
      key ??= service.key;
      const load = new LeavingLoad(service.url, key, `round${round}`);
      await vi.waitUntil(() => load.writes.length > 50 && load.reads.length > 2, { timeout: 30_000 });
      await pause(500 * Math.random());
      const signalAt = performance.now();
      const stopped = service.stop();
      // A second signal changes nothing.
      if (round % 4 === 1) await pause(300).then(() => service.stop());
      const status = await stopped;
      const tookMs = performance.now() - signalAt;
      await load.end();
      expect([status, service.output.stderr]).toEqual([0, '']);
      expect(tookMs).toBeLessThan(GONE_WITHIN_MS);
      // Whatever was sent before the end of the grace is answered: the server's clock for it begins after ours.
      const problems = judge(load, signalAt + 1_000 * drainSeconds);
      problems.push(...(await compare(load, url, trial)));
      count(trial, load, tookMs);
      expect(problems).toEqual([]);
    });
  });
});

async function start(settings: Settings, drainSeconds: number, workers: number): Promise<Service> {
  const service = await Service.start({
    ...settings,
    ACCOUNT_SYNC_LOG_LEVEL: 'silent',
    ACCOUNT_SYNC_DRAIN_SECONDS: String(drainSeconds),
    ACCOUNT_SYNC_WORKERS: String(workers),
  });
  onTestFinished(async () => void (await service.stop('SIGKILL')));
  return service;
}

/** Every answer is whole and right; none is missing but to what was sent when the server closed. */
function judge({ writes, reads, streams, imports }: LeavingLoad, safeUntil: number): string[] {
  const check = (what: string, exchanges: readonly Exchange[], isRight: (body: string) => boolean) =>
    exchanges.flatMap(({ sentAt, isReused, answer, failure = '' }) => {
      const isFine =
        answer === undefined
          ? GONE.includes(failure) && sentAt > safeUntil
          : answer.status === 200 && isRight(answer.body);
      const when = Math.round(sentAt - safeUntil);
      return isFine
        ? []
        : `${what}${isReused ? ', reused' : ''}, ${when} ms: ${failure} ${answer?.status} ${answer?.body.slice(-500)}`;
    });
  return [
    ...check('write', writes, (body) => body === SUCCESS),
    // Whole; of no account, where it came before the first write.
    ...check('read', reads, (body) => Array.isArray(JSON.parse(body).data)),
    ...check('stream', streams, (body) => body.startsWith(': changes follow\n\n') && body.endsWith('\n\n')),
    ...check('import', imports, (body) => STOPPING.test(body)),
  ];
}

/** What was acknowledged is there, and nothing is of what was not answered. */
async function compare(load: LeavingLoad, database: string, trial: Trial): Promise<string[]> {
  const stored = await StoredAccounts.open(database, trial);
  const imported = load.imports.flatMap(({ answer }) =>
    [...(answer?.body ?? '').matchAll(/"account_id":"([^"]+)","status":"created"/g)].map(([, id = '']) => id),
  );
  const writes = [...load.writes, { accountIds: imported, answer: true }];
  for (const { accountIds, answer } of writes) {
    for (const id of accountIds) {
      const isStored = (await stored.read(id)) !== undefined;
      if (answer && !isStored) trial.lost += 1;
      if (isStored !== (answer !== undefined)) stored.problems.push(`${id}: ${isStored ? '' : 'not '}stored`);
    }
  }
  await stored.close();
  return stored.problems;
}

function count(trial: Trial, load: LeavingLoad, tookMs: number): void {
  const all = [...load.writes, ...load.reads, ...load.streams, ...load.imports];
  const gone = all.filter(({ answer }) => answer === undefined);
  const add = (figure: string, n: number) => {
    trial.figures[figure] = (trial.figures[figure] ?? 0) + n;
  };
  add('requests', all.length);
  add('connections refused', gone.filter(({ failure }) => failure === 'ECONNREFUSED').length);
  const reset = gone.filter(({ failure }) => failure !== 'ECONNREFUSED');
  add('reset, new connections', reset.filter(({ isReused }) => !isReused).length);
  add('reset, kept alive', reset.filter(({ isReused }) => isReused).length);
  trial.acknowledged += load.writes.filter(({ answer }) => answer !== undefined).length;
  trial.figures['slowest end, ms'] = Math.max(trial.figures['slowest end, ms'] ?? 0, tookMs);
}
