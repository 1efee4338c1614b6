import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RejectsLog } from './rejects-log.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'account-sync-test-'));
  path = join(directory, 'rejects');
});
afterEach(() => rmSync(directory, { recursive: true }));

const written = () => readFileSync(path, 'utf8');
const open = () => new RejectsLog(path);
const add = (rejects: RejectsLog, line: number) => {
  rejects.add(
    { line, original: `{"id":${line}}`, record: undefined },
    { accountId: null, messages: ['No.'] },
  );
  rejects.flush();
};
const row = (line: number) =>
  `{"rejected_because":{"line":${line},"account_id":null,"messages":["No."]},"id":${line}}\n`;

it('is created by the first rejected row, and keeps the rows of all', () => {
  const [first, second] = [open(), open()];
  expect(existsSync(path)).toBe(false);
  add(first, 1);
  add(second, 2);
  add(first, 3);
  for (const rejects of [first, second]) rejects.close();
  const later = open();
  add(later, 4);
  later.close();
  expect(written()).toBe([1, 2, 3, 4].map(row).join(''));
});

it('gets new rows on lines of their own after half a line of a run that was killed', () => {
  writeFileSync(path, `${row(1)}{"rejected_bec`);
  const rejects = open();
  add(rejects, 2);
  rejects.close();
  expect(written()).toBe(`${row(1)}{"rejected_bec\n${row(2)}`);
});

it('has to be a file in a directory that exists', () => {
  mkdirSync(path);
  expect(open).toThrow(`Cannot write the rejected rows: ${path} is not a regular file.`);
  rmdirSync(path);
  expect(() => new RejectsLog(join(path, 'x'))).toThrow('Cannot write the rejected rows: ENOENT');
});
