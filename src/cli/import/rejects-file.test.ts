import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
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

const files = () => readdirSync(directory).sort();
/** The mark of what `sha256sum` would write. */
const markOf = (name: string) =>
  `${createHash('sha256')
    .update(readFileSync(join(directory, name)))
    .digest('hex')}  ${name}\n`;
/** Rejects one row, as an import does, and returns where it is. */
function rejectOne(reason: string, file = 'accounts.rejects.csv'): string {
  const rejects = new RejectsFile(join(directory, file), new RejectedRowFormatter(CSV, ['id']));
  rejects.add(unsent(2, ['a']), { accountId: 'a', messages: [reason] });
  rejects.flush();
  rejects.close();
  return basename(rejects.path);
}

describe('the next import of the same file', () => {
  const next = () =>
    new RejectsFile(join(directory, 'accounts.rejects.csv'), new RejectedRowFormatter(CSV, ['id'])).close();
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');

  it('removes the rejected rows with their mark if nothing is rejected', () => {
    rejectOne('Old.');
    expect(files()).toEqual(['.accounts.rejects.csv.sha256', 'accounts.rejects.csv']);
    next();
    expect(files()).toEqual([]);
  });

  it('replaces them', () => {
    rejectOne('Old.');
    expect(rejectOne('New.')).toBe('accounts.rejects.csv');
    expect(files()).toEqual(['.accounts.rejects.csv.sha256', 'accounts.rejects.csv']);
    expect(read('accounts.rejects.csv')).toContain('New.');
    expect(read('.accounts.rejects.csv.sha256')).toBe(markOf('accounts.rejects.csv'));
  });

  it('keeps them if they were edited, and writes new ones beside them, which the one after that replaces', () => {
    rejectOne('Old.');
    writeFileSync(join(directory, 'accounts.rejects.csv'), 'corrected');
    expect(rejectOne('New.')).toBe('accounts.rejects.2.csv');
    expect(rejectOne('Newer.')).toBe('accounts.rejects.2.csv');
    writeFileSync(join(directory, 'accounts.rejects.2.csv'), 'corrected, too');
    expect(rejectOne('Newest.')).toBe('accounts.rejects.3.csv');
    next();
    expect(files()).toEqual([
      '.accounts.rejects.2.csv.sha256',
      '.accounts.rejects.csv.sha256',
      'accounts.rejects.2.csv',
      'accounts.rejects.csv',
    ]);
    expect([read('accounts.rejects.csv'), read('accounts.rejects.2.csv')]).toEqual([
      'corrected',
      'corrected, too',
    ]);
  });

  it('keeps a file that no import has written', () => {
    writeFileSync(join(directory, 'accounts.rejects.csv'), 'of someone');
    expect(rejectOne('New.')).toBe('accounts.rejects.2.csv');
    expect(read('accounts.rejects.csv')).toBe('of someone');
  });
});

it('a resumed import appends to the file with the number that it has written, though that is not edited', () => {
  rejectOne('Old.');
  writeFileSync(join(directory, 'accounts.rejects.csv'), 'corrected');
  const at = join(directory, 'accounts.rejects.csv');
  const first = new RejectsFile(at, new RejectedRowFormatter(CSV, ['id']));
  first.add(unsent(2, ['a']), { accountId: 'a', messages: ['A.'] });
  first.flush();
  first.close();
  expect(first.checkpoint.path).toBe(join(directory, 'accounts.rejects.2.csv'));
  const second = new RejectsFile(at, new RejectedRowFormatter(CSV, ['id']), first.checkpoint);
  second.add(unsent(3, ['b']), { accountId: 'b', messages: ['B.'] });
  second.flush();
  second.close();
  expect(readFileSync(second.path, 'utf8')).toBe(
    '\ufeffrejected_line;rejected_id;rejected_because;id\r\n2;a;A.;a\r\n3;b;B.;b\r\n',
  );
  expect(readFileSync(join(directory, '.accounts.rejects.2.csv.sha256'), 'utf8')).toBe(
    markOf('accounts.rejects.2.csv'),
  );
  expect(second.path).toBe(first.path);
});

it('a resumed import of an older version appends to the file that --rejects names', () => {
  rejectOne('Old.', 'rejects');
  const { bytes, hash } = { bytes: readFileSync(path).length, hash: markOf('rejects').slice(0, 64) };
  const rejects = rejectsOf(CSV, ['id'], { bytes, hash });
  expect(rejects.path).toBe(path);
  rejects.close();
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
  expect(readFileSync(join(directory, '.rejects.sha256'), 'utf8')).toBe(markOf('rejects'));
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
