import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rejectsPath } from './rejects-file.js';

const CSV = { format: 'csv', size: 10 } as const;

describe('refused rows go', () => {
  it.each([
    ['accounts.csv', CSV, {}, 'accounts.rejects.csv'],
    ['/exports/accounts.csv.gz', CSV, {}, '/exports/accounts.rejects.csv'],
    ['./a.b/accounts', CSV, {}, './a.b/accounts.rejects.csv'],
    ['accounts.json', { ...CSV, format: 'json' }, {}, 'accounts.rejects.ndjson'],
    ['-', CSV, {}, undefined],
    ['/dev/fd/63', { ...CSV, size: undefined }, {}, undefined],
    ['accounts.csv', CSV, { dryRun: true }, undefined],
    ['accounts.csv', CSV, { dryRun: true, rejects: 'r.csv' }, 'r.csv'],
    ['-', CSV, { rejects: 'r.csv' }, 'r.csv'],
  ] as const)('of %s %j with %j to %s', (file, source, options, path) => {
    expect(rejectsPath(file, source, options)).toBe(path);
  });
});

describe('refused rows do not replace the file that is imported', () => {
  let directory: string;
  let file: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'account-sync-test-'));
    file = join(directory, 'accounts.csv');
    writeFileSync(file, 'account_id\n');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it.each<[string, () => string]>([
    ['by its own name', () => file],
    ['by another way to it', () => join(directory, '..', directory.split('/').at(-1) ?? '', 'accounts.csv')],
    [
      'through a link',
      () => {
        symlinkSync(file, join(directory, 'link'));
        return join(directory, 'link');
      },
    ],
    [
      'through a linked directory',
      () => {
        mkdirSync(join(directory, 'other'));
        symlinkSync(directory, join(directory, 'other', 'back'));
        return join(directory, 'other', 'back', 'accounts.csv');
      },
    ],
    [
      'by a second name of it',
      () => {
        linkSync(file, join(directory, 'second'));
        return join(directory, 'second');
      },
    ],
  ])('%s', (_how, pathOf) => {
    const rejects = pathOf();
    expect(() => rejectsPath(file, CSV, { rejects })).toThrow(
      `${rejects} is the file that is imported: give another for refused rows with --rejects.`,
    );
  });
});
