import { setTimeout as pause } from 'node:timers/promises';
import { type AccountRecord, AccountSync } from '@account-sync/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runJson } from '../support/service.js';
import { KEY, KillableService } from './killable-service.js';
import { ownDatabases } from './own-database.js';
import { pushToRun } from './push-to-run.js';
import { SeededRandom } from './seeded-random.js';
import { Trial } from './trial.js';

/** How many accounts a run sends, and how many are missing from it. */
const KEPT = 500;
const MISSING = 12_000;
/** Kills while the missing accounts of one run are archived. */
const KILLS = 4;

/** Whether each account is archived. */
async function storedAccounts(client: AccountSync): Promise<Map<string, boolean>> {
  const accounts = new Map<string, boolean>();
  for await (const { account_id, archived_at } of client.list({ archived: 'include' })) {
    accounts.set(account_id, archived_at !== null);
  }
  return accounts;
}

function* records(count: number, stem: string): Generator<AccountRecord> {
  for (let i = 0; i < count; i += 1) yield { account_id: `${stem}-${i}`, name: `Account ${i}` };
}

describe.each(ownDatabases)('a run that archives what is missing on %s', (name, createDatabase) => {
  it('is finished after each kill, and its result is as if there had been none', async () => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    const trial = new Trial(`${name}: kill -9 while missing accounts are archived`, { short: 1, long: 40 });
    const random = new SeededRandom(trial);
    const service = new KillableService(database, trial, random);
    await service.start();
    const connect = (retries = 0) => new AccountSync({ url: service.url, key: KEY, retries });
    const count = (figure: string) => {
      trial.figures[figure] = (trial.figures[figure] ?? 0) + 1;
    };
    let round = 0;
    await trial.run(async () => {
      round += 1;
      const gone = `gone-${round}`;
      const first = await connect(3).openRun({ missing: 'archive' });
      await pushToRun(connect(3), records(KEPT, 'kept'), first.id);
      await pushToRun(connect(3), records(MISSING, gone), first.id);
      expect(await connect(3).finishRun(first.id)).toMatchObject({
        state: 'finished',
        archived: 0,
        missing: { action: 'archive', accounts: 0, of: KEPT + MISSING },
      });
      const before = await storedAccounts(connect());
      const { id } = await connect(3).openRun({ missing: 'archive' });
      await pushToRun(connect(3), records(KEPT, 'kept'), id);
      let cut = 0;
      for (let kills = 0; kills < KILLS; kills += 1) {
        if (await killDuringFinish(id)) cut += 1;
        const { state = '', missing } = (await connect(3).run(id)) ?? {};
        // A run that was cut off is open, and one whose end was reached stays finished.
        expect(['open', 'finished']).toContain(state);
        if (state === 'open') expect(missing?.action).toBe('archive');
      }
      // Once archiving has begun, the share is not checked again, so the default is enough.
      const archived = [...(await storedAccounts(connect())).values()].filter((isArchived) => isArchived);
      const hasBegun = archived.length > [...before.values()].filter((isArchived) => isArchived).length;
      const finished = await connect(3).finishRun(id, hasBegun ? {} : { maxMissingPercent: 100 });
      expect(finished).toMatchObject({
        state: 'finished',
        created: 0,
        updated: 0,
        archived: MISSING,
        restored: 0,
        missing: { action: 'archive', accounts: MISSING, of: KEPT + MISSING },
      });
      expect(await connect().run(id)).toEqual(finished);
      expect(await connect(3).finishRun(id)).toEqual(finished);
      const expected = new Map(before);
      for (const { account_id } of records(MISSING, gone)) expected.set(String(account_id), true);
      expect(await storedAccounts(connect())).toEqual(expected);
      const history = [];
      for await (const entry of connect().history(`${gone}-0`)) history.push(entry);
      expect(history).toMatchObject([{ kind: 'archived', run_id: id }, { kind: 'created' }]);
      // Nothing is left to archive by the next run.
      const next = await connect(3).openRun({ missing: 'archive' });
      await pushToRun(connect(3), records(KEPT, 'kept'), next.id);
      expect((await connect(3).finishRun(next.id)).missing).toEqual({
        action: 'archive',
        accounts: 0,
        of: KEPT,
      });
      expect(await connect(3).undoRun(id)).toMatchObject({
        restored: MISSING,
        archived: 0,
        updated: 0,
        conflicts: 0,
        is_complete: true,
      });
      expect(await storedAccounts(connect())).toEqual(before);
      if (cut > 0) count('rounds with a cut');
    });
    await service.kill();
    expect(await runJson(database.settings, 'verify')).toMatchObject({ ok: true });

    /** Kills the server after it has archived some accounts, and starts it again. True if the finish was cut off. */
    async function killDuringFinish(id: string): Promise<boolean> {
      const firstMissing = async () => {
        for await (const { account_id } of connect(3).missing(id)) return account_id;
        return undefined;
      };
      const first = await firstMissing();
      let isEnded = false;
      const ended = connect()
        .finishRun(id, { maxMissingPercent: 100 })
        .then(
          () => false,
          () => true,
        )
        .finally(() => {
          isEnded = true;
        });
      while (!isEnded && (await firstMissing()) === first);
      await pause(random.between(0, 50));
      await service.kill();
      const isCut = await ended;
      count(isCut ? 'finishes cut' : 'finishes that ended first');
      await service.start();
      return isCut;
    }
  }, 600_000);
});
