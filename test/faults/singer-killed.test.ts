import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountSync } from '@account-sync/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freshDirectory, runJson, start } from '../support/service.js';
import { KEY, KillableService } from './killable-service.js';
import { ownDatabases } from './own-database.js';
import { ReplayableTap } from './replayable-tap.js';
import { SeededRandom } from './seeded-random.js';
import { Trial } from './trial.js';

/** Kills before the target may reach the end. */
const KILLS = 6;
/** A kill comes after so many records at most have been read, so that the kills are spread over the input. */
const MOST_PER_KILL = 5_000;

describe.each(ownDatabases)('a Singer target that feeds a service on %s', (name, createDatabase) => {
  it('loses nothing: what every state covers is stored, whatever is killed', async () => {
    const database = await createDatabase();
    const directory = await freshDirectory();
    onTestFinished(async () => {
      await database.remove();
      await rm(directory, { recursive: true });
    });
    const trial = new Trial(`${name}: kill -9 of a Singer target`, { short: 2, long: 60 });
    const random = new SeededRandom(trial);
    const service = new KillableService(database, trial, random);
    await service.start();
    const count = (figure: string) => {
      trial.figures[figure] = (trial.figures[figure] ?? 0) + 1;
    };
    let round = 0;
    await trial.run(async () => {
      round += 1;
      const prefix = `round${round}`;
      const tap = new ReplayableTap(prefix, random);
      const rejects = join(directory, `${prefix}.ndjson`);
      let state = 0;
      for (let kills = 0; kills < KILLS; kills += 1) {
        const target = startTarget(rejects);
        const enough = random.between(0, MOST_PER_KILL);
        let written: Promise<void> | undefined;
        const progress = new Promise<void>((resolve) => {
          written = tap.write(target.stdin, state, (records) => records >= enough && resolve());
        });
        await Promise.race([target.finished, progress]);
        await pause(random.between(0, 100));
        const isService = random.isChance(0.4);
        if (isService) await service.kill();
        // The service may be away for a while before its caller is.
        if (isService) await pause(random.between(0, 100));
        target.kill();
        const { status, stdout } = await target.finished;
        await written;
        count(
          status === null ? (isService ? 'kills of both' : 'kills of the target') : 'ends before the kill',
        );
        if (isService) await service.start();
        state = lastState(stdout) ?? state;
        await expectCovered(tap, prefix, state, rejects);
      }
      const target = startTarget(rejects);
      await tap.write(target.stdin, state);
      const { status, stdout } = await target.finished;
      expect([status === 1 || status === 0, lastState(stdout) ?? state]).toEqual([true, tap.end]);
      const { names, rejected } = tap.after(tap.end);
      expect(await storedNames(prefix)).toEqual(names);
      expect(rejectedNames(rejects)).toEqual(rejected);
    });
    await service.kill();
    expect(await runJson(database.settings, 'verify')).toMatchObject({ ok: true });

    function startTarget(rejects: string) {
      const args = [
        'singer',
        '--stream',
        'accounts',
        '--rejects',
        rejects,
        '--quiet',
        '--give-up-after',
        '30s',
      ];
      const { child, finished } = start(args, { ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: KEY });
      const { stdin } = child;
      if (stdin === null) throw new Error('The target has no standard input.');
      return { stdin, finished, kill: () => child.kill('SIGKILL') };
    }

    /** Later records may be stored, too, so an account may have any record from the last one before the state on. */
    async function expectCovered(tap: ReplayableTap, prefix: string, state: number, rejects: string) {
      const { names, rejected } = tap.after(state);
      const stored = await storedNames(prefix);
      const lost = [...names].filter(([id, least]) => numberOf(stored.get(id)) < numberOf(least));
      const unrecorded = [...rejected].filter((record) => !rejectedNames(rejects).has(record));
      trial.lost += lost.length + unrecorded.length;
      expect({ lost, unrecorded }).toEqual({ lost: [], unrecorded: [] });
      trial.figures['records covered'] = (trial.figures['records covered'] ?? 0) + state;
    }

    async function storedNames(prefix: string): Promise<Map<string, string>> {
      const client = new AccountSync({ url: service.url, key: KEY });
      const stored = new Map<string, string>();
      for await (const account of client.list({ id_prefix: `${prefix}-` })) {
        stored.set(account.account_id, account.name ?? '');
      }
      return stored;
    }
  });
});

/** The last line that is complete: the target may have been killed while it wrote. */
function lastState(stdout: string): number | undefined {
  const line = stdout
    .slice(0, stdout.lastIndexOf('\n') + 1)
    .split('\n')
    .at(-2);
  return line === undefined ? undefined : JSON.parse(line).records;
}

/** The names of rejected records that are in the file, of which the last may be incomplete. */
function rejectedNames(path: string): Set<string> {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  return new Set(lines.flatMap((line) => /"name":"([^"]+)"/.exec(line)?.[1] ?? []));
}

function numberOf(name = 'Record 0'): number {
  return Number(name.slice('Record '.length));
}
