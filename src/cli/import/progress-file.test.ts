import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fingerprint, ProgressFile } from './progress-file.js';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'account-sync-test-'));
  file = join(directory, 'a.csv');
});
afterEach(() => rmSync(directory, { recursive: true }));

const IDENTITY = { file: 'f', server: 's', key: 'k', options: 'o' };

it('keeps how far an import is, beside its file, until it is removed', async () => {
  const progress = new ProgressFile<{ records: number }>(file, IDENTITY);
  expect(await progress.load()).toBeUndefined();
  await progress.save({ records: 1 });
  await progress.save({ records: 2 });
  expect(readdirSync(directory)).toEqual(['a.csv.progress']);
  expect(await new ProgressFile(file, IDENTITY).load()).toEqual({ records: 2 });
  await progress.remove();
  expect(readdirSync(directory)).toEqual([]);
});

it.each([
  ['file', 'The file is not the one that was being imported: it has changed.'],
  ['server', 'It was being imported into another server.'],
  ['key', 'It was being imported with another key, which may be that of another tenant.'],
  ['options', 'It was being imported with other options.'],
] as const)('does not go on with another %s', async (part, sentence) => {
  await new ProgressFile(file, IDENTITY).save({});
  await expect(new ProgressFile(file, { ...IDENTITY, [part]: 'other' }).load()).rejects.toThrow(
    `${sentence} Import it from its beginning, without --resume: what is stored already counts as unchanged.`,
  );
});

it.each(['{"identity":', '{}', 'null', '[]'])('says so where it is damaged: %s', async (damaged) => {
  const progress = new ProgressFile(file, IDENTITY);
  writeFileSync(progress.path, damaged);
  await expect(progress.load()).rejects.toThrow('is damaged. Remove it');
});

it('knows a file by its size, its age and its beginning', async () => {
  writeFileSync(file, 'account_id\na\n');
  const before = await fingerprint(file);
  expect(await fingerprint(file)).toBe(before);
  appendFileSync(file, 'b\n');
  expect(await fingerprint(file)).not.toBe(before);
});
