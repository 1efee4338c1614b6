import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { replaceDatabase } from '../../dist/store/sqlite/replace-database.js';
import { freshDirectory } from '../support/service.js';

const MODULE = new URL('../../dist/store/sqlite/replace-database.js', import.meta.url);

let directory: string;
let file: string;
let by: string;
let kept: string;
beforeEach(async () => {
  directory = await freshDirectory();
  file = join(directory, 'account-sync.db');
  by = join(directory, 'by');
  kept = join(directory, 'backups', 'kept.db');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('the log of a damaged database is not lost if its replacement fails at the last step', () => {
  writeFileSync(file, 'no database '.repeat(1_000));
  writeFileSync(`${file}-wal`, 'what was written last');
  // A directory cannot be renamed to a file, so the last step fails.
  mkdirSync(by);
  expect(() => replaceDatabase(file, by, kept)).toThrow('ENOTDIR');
  const log = [`${file}-wal`, `${kept}-wal`].find((path) => existsSync(path)) ?? '';
  expect(readFileSync(log, 'utf8')).toBe('what was written last');
});

it.skipIf(process.platform === 'win32')(
  'no process can write to a database once its copy is made',
  async () => {
    /** Returns 'written' or the error message. */
    const write = (): string => {
      const db = new DatabaseSync(file, { timeout: 0 });
      try {
        db.exec('pragma journal_mode = wal; create table if not exists t (x); insert into t values (1)');
        return 'written';
      } catch (error) {
        return (error as Error).message;
      } finally {
        db.close();
      }
    };
    expect(write()).toBe('written');
    // Opening a named pipe waits for a writer, so the replacement waits after its copy.
    execFileSync('mkfifo', [by]);
    const script = `import('${MODULE}').then((module) => module.replaceDatabase(...process.argv.slice(1)))`;
    const child = spawn(process.execPath, ['-e', script, file, by, kept], { stdio: 'inherit' });
    await expect.poll(() => existsSync(kept)).toBe(true);
    const outcomes: string[] = [];
    for (let i = 0; i < 10; i += 1) {
      await setTimeout(50);
      outcomes.push(write());
    }
    child.kill('SIGKILL');
    expect(new Set(outcomes)).toEqual(new Set(['database is locked']));
  },
);
