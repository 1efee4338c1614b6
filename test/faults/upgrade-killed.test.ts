import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../dist/store/maintenance/open-for-verification.js';
import { restoreBackup } from '../../dist/store/maintenance/restore-backup.js';
import { type Database, freshSqlite } from '../support/databases.js';
import { Service, start } from '../support/service.js';
import { verified } from '../support/verified.js';
import { GENERATED, LargeReleasedDatabase } from './large-released-database.js';
import { Trial } from './trial.js';

const RELEASED_ACCOUNTS = 43;
const RELEASED_CHANGES = 60;

/** The time of a start with a migration. */
async function timeStart({ settings }: Database): Promise<number> {
  const startedAt = performance.now();
  await (await Service.start(settings)).stop();
  return performance.now() - startedAt;
}

async function backupsIn({ settings }: Database): Promise<string[]> {
  const directory = join(settings.ACCOUNT_SYNC_DATA_DIR ?? '', 'backups');
  const names = await readdir(directory).catch(() => []);
  // After a start of the server, no partial backup remains.
  for (const name of names) expect(name).toMatch(/\.db$/);
  return names.map((name) => join(directory, name));
}

/** Verifies the database, and returns the number of missing accounts and changes. */
async function missingIn(url: string): Promise<number> {
  const { problems, rows, changes } = await verified(url);
  expect(problems).toEqual([]);
  return 2 * GENERATED + RELEASED_ACCOUNTS + RELEASED_CHANGES - (rows.account ?? 0) - changes;
}

/** Whether the database has the current schema: `openDatabase` rejects an older one. */
function isMigrated({ url }: Database): Promise<boolean> {
  return openDatabase(url).then(
    ({ close }) => close().then(() => true),
    () => false,
  );
}

it.each([
  ['SQLite', '0.1.0', 'sqlite'],
  ['PostgreSQL', '0.2.0', 'postgres'],
] as const)(
  'an upgrade on %s that is killed loses nothing, and the next start finishes it',
  async (name, version, kind) => {
    const old = await LargeReleasedDatabase.create(version, kind);
    onTestFinished(() => old.remove());
    const trial = new Trial(`${name}: killed while it migrates from ${version}`, { short: 2, long: 50 });
    const untouched = await old.copy();
    const longest = await timeStart(untouched);
    await untouched.remove();
    Object.assign(trial.figures, { 'killed before the migration was done': 0, 'backups restored': 0 });
    const count = (figure: string) => {
      trial.figures[figure] = (trial.figures[figure] ?? 0) + 1;
    };
    await trial.run(async () => {
      const database = await old.copy();
      const { child, finished } = start(['serve'], { ...database.settings, ACCOUNT_SYNC_PORT: '0' });
      const timer = setTimeout(() => child.kill('SIGKILL'), longest * (0.2 + 0.7 * Math.random()));
      await finished;
      clearTimeout(timer);
      if (!(await isMigrated(database))) count('killed before the migration was done');
      await timeStart(database);
      trial.lost += await missingIn(database.url);
      for (const backup of await backupsIn(database)) {
        const restored = await freshSqlite();
        await restoreBackup(restored.url, backup, { replace: false, now: Date.now(), report: () => {} });
        trial.lost += await missingIn(restored.url);
        count('backups restored');
        await restored.remove();
      }
      await database.remove();
    });
    expect(trial.lost).toBe(0);
  },
  1_800_000,
);
