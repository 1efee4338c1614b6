import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportFile } from './open-import-file.js';
import { RejectedRowFormatter } from './rejected-row-formatter.js';
import { type RejectsCheckpoint, RejectsFile } from './rejects-file.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'account-sync-test-'));
  path = join(directory, 'rejects');
});
afterEach(() => rmSync(directory, { recursive: true }));

type Form = Pick<ImportFile, 'format' | 'delimiter' | 'lineEnd' | 'hasMark'>;
const rejectsOf = (importFile: Form, header: readonly string[], earlier?: RejectsCheckpoint) =>
  new RejectsFile(path, new RejectedRowFormatter(importFile, header), earlier);
const written = () => readFileSync(path, 'utf8');
const CSV = { format: 'csv', delimiter: ';', lineEnd: '\r\n', hasMark: true } as const;
const NDJSON = { format: 'ndjson', delimiter: ',', lineEnd: '\n', hasMark: false } as const;
const unsent = (line: number, original: string | readonly string[]) => ({
  line,
  original,
  record: undefined,
});

describe('rejected rows of a CSV file', () => {
  it('are written unchanged after line, id and reasons, without cells that a spreadsheet would run', () => {
    const rejects = rejectsOf(CSV, ['Account ID', 'Notes; long']);
    rejects.add(unsent(2, ['=a', "'=1+1"]), { accountId: '=a', messages: ['Account =a, x.', 'B "quoted".'] });
    rejects.add(unsent(5, ['a', 'two\r\nlines']), { accountId: 'a', messages: ['C.'] });
    rejects.add(unsent(9, '"a"b;c'), { accountId: null, messages: ['D.'] });
    rejects.add(unsent(10, ['a']), { accountId: null, messages: ['E.'] });
    rejects.flush();
    rejects.close();
    expect(written()).toBe(
      '\ufeffrejected_line;rejected_id;rejected_because;Account ID;"Notes; long"\r\n' +
        '2;\'=a;"Account =a, x. B ""quoted"".";=a;\'=1+1\r\n' +
        '5;a;C.;a;"two\r\nlines"\r\n' +
        '9;;D.;"a"b;c\r\n' +
        '10;;E.;a\r\n',
    );
  });

  it('name a delimiter that cannot be detected from the header', () => {
    const rejects = rejectsOf({ ...CSV, delimiter: '^', hasMark: true }, ['id', 'name']);
    rejects.add(unsent(3, ['a', 'b^c']), { accountId: 'a', messages: ['No.'] });
    rejects.flush();
    rejects.close();
    expect(written()).toBe(
      '\ufeffsep=^\r\nrejected_line^rejected_id^rejected_because^id^name\r\n3^a^No.^a^"b^c"\r\n',
    );
  });

  it('do not repeat the reasons of an earlier import', () => {
    const header = ['rejected_line', 'rejected_id', 'rejected_because', 'id'];
    const rejects = rejectsOf({ ...CSV, hasMark: false }, header);
    rejects.add(unsent(2, ['17', 'a', 'Old.', 'a']), { accountId: 'a', messages: ['New.'] });
    rejects.add(unsent(3, ['18', '', 'Old.', 'b', 'c']), { accountId: null, messages: ['Too many.'] });
    rejects.add(unsent(4, ['f']), { accountId: null, messages: ['Too few.'] });
    rejects.add(unsent(5, '19;;"Old; ""older"".";"d"e'), { accountId: null, messages: ['Broken.'] });
    rejects.flush();
    rejects.close();
    expect(written()).toBe(
      'rejected_line;rejected_id;rejected_because;id\r\n' +
        '2;a;New.;a\r\n' +
        '3;;Too many.;b;c\r\n' +
        '4;;Too few.;f\r\n' +
        '5;;Broken.;"d"e\r\n',
    );
  });
});

it('rejected JSON records are written unchanged after the reasons; other values become part of the reasons', () => {
  const rejects = rejectsOf(NDJSON, []);
  const rejection = { accountId: 'a', messages: ['No.'] };
  rejects.add(unsent(1, ' {"account_id": "a",\n "x":1.50}\r'), rejection);
  rejects.add(unsent(2, '{ }'), rejection);
  rejects.add(unsent(3, '{"account_id":'), { accountId: null, messages: ['No JSON.'] });
  rejects.flush();
  rejects.close();
  expect(written()).toBe(
    '{"rejected_because":{"line":1,"account_id":"a","messages":["No."]},"account_id": "a",  "x":1.50}\n' +
      '{"rejected_because":{"line":2,"account_id":"a","messages":["No."]}}\n' +
      '{"rejected_because":{"line":3,"account_id":null,"messages":["No JSON."],"text":"{\\"account_id\\":"}}\n',
  );
});

it('no file exists if nothing is rejected, not even that of an earlier run', () => {
  writeFileSync(path, 'of yesterday');
  rejectsOf(NDJSON, []).close();
  expect(existsSync(path)).toBe(false);
});

it('appends to the checkpoint of an earlier run, and overwrites what follows it', () => {
  const first = rejectsOf(CSV, ['id']);
  first.add(unsent(2, ['a']), { accountId: 'a', messages: ['A.'] });
  first.flush();
  const saved = first.checkpoint;
  first.add(unsent(3, ['b']), { accountId: 'b', messages: ['A much longer reason than the next.'] });
  first.flush();
  first.close();
  const second = rejectsOf(CSV, ['id'], saved);
  expect(written()).toBe('\ufeffrejected_line;rejected_id;rejected_because;id\r\n2;a;A.;a\r\n');
  second.add(unsent(3, ['b']), { accountId: 'b', messages: ['B.'] });
  second.flush();
  second.close();
  expect(written()).toBe('\ufeffrejected_line;rejected_id;rejected_because;id\r\n2;a;A.;a\r\n3;b;B.;b\r\n');
});

it.each([
  ['there is no such directory', 'nowhere/rejects', 'ENOENT'],
  ['it is a directory itself', '', '.* is not a regular file'],
])('fails before the import if %s', (_what, name, code) => {
  expect(() => new RejectsFile(join(directory, name), new RejectedRowFormatter(NDJSON, []))).toThrow(
    new RegExp(`^Cannot write the rejected rows: ${code}.*Choose another file with --rejects <file>\\.$`),
  );
});

it('does not append to a file that was edited meanwhile', () => {
  const first = rejectsOf(CSV, ['id', 'licenses']);
  first.add(unsent(2, ['a', 'many']), { accountId: 'a', messages: ['A.'] });
  first.flush();
  first.close();
  writeFileSync(path, written().replace('many', '25 and more'));
  expect(() => rejectsOf(CSV, ['id', 'licenses'], first.checkpoint)).toThrow(
    `${path} has changed since the import was interrupted. Import from the beginning, without --resume, to write it again.`,
  );
  expect(written()).toContain('25 and more');
});

it('does not replace anything but a regular file', () => {
  const precious = join(directory, 'precious');
  writeFileSync(precious, 'kept');
  symlinkSync(precious, path);
  expect(() => rejectsOf(NDJSON, [])).toThrow(
    'is not a regular file. Choose another file with --rejects <file>.',
  );
  expect(readFileSync(precious, 'utf8')).toBe('kept');
});

it('keeps failing after a failed write, because those rows are lost', () => {
  const rejects = rejectsOf(NDJSON, []);
  const before = rejects.checkpoint;
  mkdirSync(path);
  rejects.add(unsent(1, '{}'), { accountId: null, messages: [] });
  expect(() => rejects.flush()).toThrow('Cannot write the rejected rows: EEXIST');
  rmdirSync(path);
  expect(() => rejects.flush()).toThrow('Cannot write the rejected rows: EEXIST');
  expect(rejects.checkpoint).toEqual(before);
});

describe('a file that several runs share', () => {
  const shared = () => new RejectsFile(path, new RejectedRowFormatter(NDJSON, []), 'all');
  const add = (rejects: RejectsFile, line: number) => {
    rejects.add(unsent(line, `{"id":${line}}`), { accountId: null, messages: ['No.'] });
    rejects.flush();
  };
  const row = (line: number) =>
    `{"rejected_because":{"line":${line},"account_id":null,"messages":["No."]},"id":${line}}\n`;

  it('is created by the first rejected row, and keeps the rows of all', () => {
    const [first, second] = [shared(), shared()];
    expect(existsSync(path)).toBe(false);
    add(first, 1);
    add(second, 2);
    add(first, 3);
    for (const rejects of [first, second]) rejects.close();
    const later = shared();
    add(later, 4);
    later.close();
    expect(written()).toBe([1, 2, 3, 4].map(row).join(''));
  });

  it('gets new rows on lines of their own after half a line of a run that was killed', () => {
    writeFileSync(path, `${row(1)}{"rejected_bec`);
    const rejects = shared();
    add(rejects, 2);
    rejects.close();
    expect(written()).toBe(`${row(1)}{"rejected_bec\n${row(2)}`);
  });

  it('has to be a file in a directory that exists', () => {
    mkdirSync(path);
    expect(shared).toThrow(`Cannot write the rejected rows: ${path} is not a regular file.`);
    rmdirSync(path);
    expect(() => new RejectsFile(join(path, 'x'), new RejectedRowFormatter(NDJSON, []), 'all')).toThrow(
      'Cannot write the rejected rows: ENOENT',
    );
  });
});
