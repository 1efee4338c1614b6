import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { kyselyOver } from './kysely-database.js';

function connections() {
  const directory = mkdtempSync(join(tmpdir(), 'account-sync-'));
  const file = join(directory, 'a.db');
  const holder = new DatabaseSync(file);
  holder.exec('pragma journal_mode = wal; create table t (x); insert into t values (1)');
  const db = kyselyOver(new DatabaseSync(file, { timeout: 0 }), { waitMs: 10_000 });
  onTestFinished(async () => {
    await db.destroy();
    holder.close();
    rmSync(directory, { recursive: true });
  });
  return { holder, db };
}

it.each(['', 'returning x'])('waits for the lock of another connection: delete %s', async (returning) => {
  const { holder, db } = connections();
  holder.exec('begin immediate');
  let isDone = false;
  const deleted = sql`delete from t ${sql.raw(returning)}`.execute(db).then(({ rows }) => {
    isDone = true;
    return rows;
  });
  await setTimeout(20);
  expect(isDone).toBe(false);
  holder.exec('commit');
  expect(await deleted).toEqual(returning === '' ? [] : [{ x: 1 }]);
});
