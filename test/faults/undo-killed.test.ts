import { setTimeout as pause } from 'node:timers/promises';
import { type AccountRecord, AccountSync } from '@account-sync/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runJson } from '../support/service.js';
import { KEY, KillableService } from './killable-service.js';
import { ownDatabases } from './own-database.js';
import { pushToRun } from './push-to-run.js';
import { SeededRandom } from './seeded-random.js';
import { Trial } from './trial.js';

const ACCOUNTS = 6_000;
/** Kills during one undo. */
const KILLS = 4;

/** Without what a change and its undo leave behind: revisions and times. */
async function storedAccounts(client: AccountSync) {
  const accounts = new Map<string, unknown>();
  for await (const { account_id, name, fields, archived_at } of client.list({ archived: 'include' })) {
    accounts.set(account_id, { name, fields, isArchived: archived_at !== null });
  }
  return accounts;
}

function* records(from: number, licenses: number): Generator<AccountRecord> {
  for (let i = from; i < from + ACCOUNTS; i += 1) {
    yield { account_id: `account-${i}`, name: `Account ${i}`, licenses: licenses + i };
  }
}

describe.each(ownDatabases)('an undo on %s', (name, createDatabase) => {
  it('continues after each kill, and its result is as if there had been none', async () => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    const trial = new Trial(`${name}: kill -9 during an undo`, { short: 1, long: 40 });
    const random = new SeededRandom(trial);
    const service = new KillableService(database, trial, random);
    await service.start();
    const connect = (retries = 0) => new AccountSync({ url: service.url, key: KEY, retries });
    let first = 0;
    await trial.run(async () => {
      // Half of the accounts exist before. The run changes all of them, and changes those that it creates twice.
      const before = await connect(3).openRun();
      await pushToRun(connect(3), records(first, 1), before.id);
      await connect(3).finishRun(before.id);
      const expected = await storedAccounts(connect());
      const { id } = await connect(3).openRun();
      await pushToRun(connect(3), records(first, 2), id);
      await pushToRun(connect(3), records(first + ACCOUNTS, 3), id);
      // A kill loses no change that the run has to count.
      await service.kill();
      await service.start();
      await pushToRun(connect(3), records(first + ACCOUNTS, 4), id);
      const run = await connect(3).finishRun(id);
      expect(run).toMatchObject({ created: ACCOUNTS, updated: 2 * ACCOUNTS });
      for (let kills = 0; kills < KILLS; kills += 1) await killDuringUndo(id);
      const summary = await connect(3).undoRun(id);
      expect(summary).toEqual({
        run_id: expect.any(String),
        undoes: id,
        changes: 3 * ACCOUNTS,
        updated: ACCOUNTS,
        archived: ACCOUNTS,
        restored: 0,
        conflicts: 0,
        dry_run: false,
        is_complete: true,
        code: null,
        problem: null,
      });
      expect(await connect().run(summary.run_id as string)).toMatchObject({
        kind: 'undo',
        state: 'finished',
        updated: ACCOUNTS,
        archived: ACCOUNTS,
        undo: { run_id: id, changes: 3 * ACCOUNTS, examined: 3 * ACCOUNTS, conflicts: 0 },
      });
      for (const { account_id, name: title, licenses } of records(first + ACCOUNTS, 4) as Iterable<{
        readonly account_id: string;
        readonly name: string;
        readonly licenses: number;
      }>) {
        expected.set(account_id, { name: title, fields: { licenses }, isArchived: true });
      }
      expect(await storedAccounts(connect())).toEqual(expected);
      const undone = await connect(3).undoRun(summary.run_id as string);
      expect(undone).toMatchObject({ updated: ACCOUNTS, restored: ACCOUNTS, conflicts: 0 });
      first += 2 * ACCOUNTS;
    });
    await service.kill();
    expect(await runJson(database.settings, 'verify')).toMatchObject({ ok: true });

    /** Kills the server at a random moment of the undo, and starts it again. */
    async function killDuringUndo(id: string): Promise<void> {
      const ended = connect().undoRun(id, { onProgress: () => resume() });
      let resume = () => {};
      const begun = new Promise<void>((resolve) => {
        resume = resolve;
      });
      await Promise.race([begun, ended.catch(() => {})]);
      await pause(random.between(0, 150));
      await service.kill();
      const isCut = await ended.then(
        () => false,
        () => true,
      );
      trial.figures[isCut ? 'undos cut' : 'undos that ended first'] =
        (trial.figures[isCut ? 'undos cut' : 'undos that ended first'] ?? 0) + 1;
      await service.start();
    }
  }, 600_000);
});
