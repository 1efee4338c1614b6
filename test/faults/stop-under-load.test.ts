import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { databases } from '../support/databases.js';
import { Service, type Settings } from '../support/service.js';
import { LoadUntilShutdown } from './load-until-shutdown.js';
import type { RequestResult } from './send-request.js';
import { StoredAccounts } from './stored-accounts.js';
import { Trial } from './trial.js';

const STOP_LIMIT_MS = 10_000;
const SUCCESS = '{"success":true}';
const STOPPING =
  /"problem":"Record \d+: The service is stopping\. Send this record and those behind it again\."\}\}\n$/;
/** Errors of a client when the server has closed the connection, or accepts none. */
const CLOSED_ERRORS = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'];

describe.each(databases)('a server on %s that gets SIGTERM under load', (name, createDatabase) => {
  it('responds to every accepted request, and keeps what it acknowledged', async () => {
    const { url, settings, remove } = await createDatabase();
    onTestFinished(remove);
    const trial = new Trial(`SIGTERM under load, ${name}`, { short: 3, long: 100 });
    let key: string | undefined;
    await trial.run(async (round) => {
      const drainSeconds = round % 2;
      const workers = name === 'PostgreSQL' && round % 3 === 0 ? 2 : 1;
      const service = await start(settings, drainSeconds, workers);
      key ??= service.key;
      const load = new LoadUntilShutdown(service.url, key, `round${round}`);
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
      expect(tookMs).toBeLessThan(STOP_LIMIT_MS);
      // Requests before the end of the drain time get a response. The server measures that time from a later start.
      const problems = checkResults(load, signalAt + 1_000 * drainSeconds);
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

/** Every response is complete and right. Only requests that were sent when the server closed may have none. */
function checkResults({ writes, reads, streams, imports }: LoadUntilShutdown, safeUntil: number): string[] {
  const check = (what: string, results: readonly RequestResult[], isRight: (body: string) => boolean) =>
    results.flatMap(({ sentAt, isReused, response, failure = '' }) => {
      const isFine =
        response === undefined
          ? CLOSED_ERRORS.includes(failure) && sentAt > safeUntil
          : response.status === 200 && isRight(response.body);
      const when = Math.round(sentAt - safeUntil);
      return isFine
        ? []
        : `${what}${isReused ? ', reused' : ''}, ${when} ms: ${failure} ${response?.status} ${response?.body.slice(-500)}`;
    });
  return [
    ...check('write', writes, (body) => body === SUCCESS),
    // A complete page; it is empty if the request came before the first write.
    ...check('read', reads, (body) => Array.isArray(JSON.parse(body).data)),
    ...check('stream', streams, (body) => body.startsWith(': changes follow\n\n') && body.endsWith('\n\n')),
    ...check('import', imports, (body) => STOPPING.test(body)),
  ];
}

/** Every acknowledged write is stored, and no write without a response is. */
async function compare(load: LoadUntilShutdown, database: string, trial: Trial): Promise<string[]> {
  const stored = await StoredAccounts.open(database, trial);
  const imported = load.imports.flatMap(({ response }) =>
    [...(response?.body ?? '').matchAll(/"account_id":"([^"]+)","status":"created"/g)].map(
      ([, id = '']) => id,
    ),
  );
  const writes = [...load.writes, { accountIds: imported, response: true }];
  for (const { accountIds, response } of writes) {
    for (const id of accountIds) {
      const isStored = (await stored.read(id)) !== undefined;
      if (response && !isStored) trial.lost += 1;
      if (isStored !== (response !== undefined))
        stored.problems.push(`${id}: ${isStored ? '' : 'not '}stored`);
    }
  }
  await stored.close();
  return stored.problems;
}

function count(trial: Trial, load: LoadUntilShutdown, tookMs: number): void {
  const all = [...load.writes, ...load.reads, ...load.streams, ...load.imports];
  const failed = all.filter(({ response }) => response === undefined);
  const add = (figure: string, n: number) => {
    trial.figures[figure] = (trial.figures[figure] ?? 0) + n;
  };
  add('requests', all.length);
  add('connections refused', failed.filter(({ failure }) => failure === 'ECONNREFUSED').length);
  const reset = failed.filter(({ failure }) => failure !== 'ECONNREFUSED');
  add('reset, new connections', reset.filter(({ isReused }) => !isReused).length);
  add('reset, kept alive', reset.filter(({ isReused }) => isReused).length);
  trial.acknowledged += load.writes.filter(({ response }) => response !== undefined).length;
  trial.figures['slowest end, ms'] = Math.max(trial.figures['slowest end, ms'] ?? 0, tookMs);
}
