import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rejectsPath } from './rejects-file.js';

const CSV = { format: 'csv', isPipe: false } as const;
const PIPE = { ...CSV, isPipe: true } as const;

describe('rejected rows go', () => {
  it.each([
    ['accounts.csv', CSV, {}, 'accounts.rejects.csv'],
    ['/exports/accounts.csv.gz', CSV, {}, '/exports/accounts.rejects.csv'],
    ['./a.b/accounts', CSV, {}, './a.b/accounts.rejects.csv'],
    ['accounts.json', { ...CSV, format: 'json' }, {}, 'accounts.rejects.ndjson'],
    ['-', PIPE, {}, undefined],
    ['/dev/fd/63', PIPE, {}, undefined],
    ['accounts.csv', CSV, { dryRun: true }, undefined],
    ['accounts.csv', CSV, { dryRun: true, rejects: 'r.csv' }, 'r.csv'],
    ['-', PIPE, { rejects: 'r.csv' }, 'r.csv'],
  ] as const)('from %s %j with %j to %s', (file, importFile, options, path) => {
    expect(rejectsPath(file, importFile, options)).toBe(path);
  });
});

describe('rejected rows do not replace the imported file', () => {
  let directory: string;
  let file: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'account-sync-test-'));
    file = join(directory, 'accounts.csv');
    writeFileSync(file, 'account_id\n');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it.each<[string, () => string]>([
    ['under its own name', () => file],
    ['under another path', () => join(directory, '..', directory.split('/').at(-1) ?? '', 'accounts.csv')],
    [
      'through a symbolic link',
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
      'through a hard link',
      () => {
        linkSync(file, join(directory, 'second'));
        return join(directory, 'second');
      },
    ],
  ])('%s', (_how, pathOf) => {
    const rejects = pathOf();
    expect(() => rejectsPath(file, CSV, { rejects })).toThrow(
      `${rejects} is the imported file. Choose another file for rejected rows with --rejects.`,
    );
  });
});
