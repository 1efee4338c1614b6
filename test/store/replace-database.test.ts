import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceDatabase } from '../../dist/store/sqlite/replace-database.js';
import { freshDirectory } from '../service.js';

it('the log of a damaged database is not lost where its replacement fails at the last step', async () => {
  const directory = await freshDirectory();
  const [file, by, kept] = ['account-sync.db', 'by', join('backups', 'kept.db')].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  writeFileSync(file, 'no database '.repeat(1_000));
  writeFileSync(`${file}-wal`, 'what was written last');
  // No directory can take the place of a file.
  mkdirSync(by);
  expect(() => replaceDatabase(file, by, kept)).toThrow('ENOTDIR');
  const log = [`${file}-wal`, `${kept}-wal`].find((path) => existsSync(path)) ?? '';
  expect(readFileSync(log, 'utf8')).toBe('what was written last');
  await rm(directory, { recursive: true, force: true });
});
