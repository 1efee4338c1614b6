import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { markWritten, removeWritten, unusedPath } from './rejects-file-mark.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'account-sync-test-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const at = (name: string) => join(directory, name);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
/** A file as an import writes it. */
function written(name: string, text = 'rows'): void {
  writeFileSync(at(name), text);
  markWritten(at(name), sha256(text));
}

it('the mark is hidden beside the file, in the format of sha256sum', () => {
  written('r.csv');
  expect(readdirSync(directory).sort()).toEqual(['.r.csv.sha256', 'r.csv']);
  expect(readFileSync(at('.r.csv.sha256'), 'utf8')).toBe(`${sha256('rows')}  r.csv\n`);
});

it('a file is removed with its mark', () => {
  written('r.csv');
  removeWritten(at('r.csv'));
  removeWritten(at('r.csv'));
  expect(readdirSync(directory)).toEqual([]);
});

describe('the path for new rows', () => {
  it.each<[string, () => void, string]>([
    ['is free', () => {}, 'r.csv'],
    ['is that of a file as it was written', () => written('r.csv'), 'r.csv'],
    ['is that of an empty file', () => writeFileSync(at('r.csv'), ''), 'r.csv'],
    ['is that of a directory, which the import then reports', () => mkdirSync(at('r.csv')), 'r.csv'],
    ['is that of a link, which the import then reports', () => symlinkSync('nowhere', at('r.csv')), 'r.csv'],
    ['is another one beside a file without a mark', () => writeFileSync(at('r.csv'), 'rows'), 'r.2.csv'],
    [
      'is another one beside an edited file',
      () => {
        written('r.csv');
        writeFileSync(at('r.csv'), 'Rows');
      },
      'r.2.csv',
    ],
    [
      'is another one beside a file whose last rows were not marked before a crash',
      () => {
        written('r.csv');
        writeFileSync(at('r.csv'), 'rows and more');
      },
      'r.2.csv',
    ],
    [
      'is another one if the mark is damaged',
      () => {
        written('r.csv');
        writeFileSync(at('.r.csv.sha256'), '');
      },
      'r.2.csv',
    ],
    [
      'is the first that was not edited',
      () => {
        for (const name of ['r.csv', 'r.2.csv', 'r.3.csv']) writeFileSync(at(name), 'rows');
        written('r.4.csv');
        writeFileSync(at('r.5.csv'), 'rows');
      },
      'r.4.csv',
    ],
  ])('%s', (_what, prepare, name) => {
    prepare();
    expect(unusedPath(at('r.csv'))).toBe(at(name));
  });

  it('has its number before the extension, or at the end', () => {
    for (const name of ['a.b.ndjson', 'rejects']) writeFileSync(at(name), 'rows');
    expect([unusedPath(at('a.b.ndjson')), unusedPath(at('rejects'))]).toEqual([
      at('a.b.2.ndjson'),
      at('rejects.2'),
    ]);
  });
});
