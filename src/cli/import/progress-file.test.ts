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

const IDENTITY = { file: 'f', server: 's', key: 'k', options: 'o', types: 't' };

it('stores the progress next to the file until it is removed', async () => {
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
  ['file', 'The file has changed since the earlier import started.'],
  ['server', 'The earlier import used another server.'],
  ['key', 'The earlier import used another key, which may belong to another tenant.'],
  ['options', 'The earlier import used other options.'],
  ['types', 'The types of the fields have changed since the earlier import started.'],
] as const)('does not resume with another %s', async (part, sentence) => {
  await new ProgressFile(file, IDENTITY).save({});
  await expect(new ProgressFile(file, { ...IDENTITY, [part]: 'other' }).load()).rejects.toThrow(
    `${sentence} Import the file from the beginning, without --resume: records that are already stored count as unchanged.`,
  );
});

it.each(['{"identity":', '{}', 'null', '[]'])('reports a damaged file: %s', async (damaged) => {
  const progress = new ProgressFile(file, IDENTITY);
  writeFileSync(progress.path, damaged);
  await expect(progress.load()).rejects.toThrow('is damaged. Delete it');
});

it('identifies a file by size, modification time and first bytes', async () => {
  writeFileSync(file, 'account_id\na\n');
  const before = await fingerprint(file);
  expect(await fingerprint(file)).toBe(before);
  appendFileSync(file, 'b\n');
  expect(await fingerprint(file)).not.toBe(before);
});
