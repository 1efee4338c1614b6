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
import type { Source } from './open-import-file.js';
import { RejectionLines } from './rejected-rows.js';
import { RejectsFile, type RejectsNote } from './rejects-file.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'account-sync-test-'));
  path = join(directory, 'rejects');
});
afterEach(() => rmSync(directory, { recursive: true }));

type Form = Pick<Source, 'format' | 'delimiter' | 'lineEnd' | 'hasMark'>;
const rejectsOf = (source: Form, header: readonly string[], earlier?: RejectsNote) =>
  new RejectsFile(path, new RejectionLines(source, header), earlier);
const written = () => readFileSync(path, 'utf8');
const CSV = { format: 'csv', delimiter: ';', lineEnd: '\r\n', hasMark: true } as const;
const NDJSON = { format: 'ndjson', delimiter: ',', lineEnd: '\n', hasMark: false } as const;
const unsent = (line: number, original: string | readonly string[]) => ({
  line,
  original,
  record: undefined,
});

describe('refused rows of a CSV', () => {
  it('are written as they came, behind line, id and reasons, none of which a spreadsheet would run', () => {
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

  it('name a delimiter that the header does not tell, as their file did', () => {
    const rejects = rejectsOf({ ...CSV, delimiter: '^', hasMark: true }, ['id', 'name']);
    rejects.add(unsent(3, ['a', 'b^c']), { accountId: 'a', messages: ['No.'] });
    rejects.flush();
    rejects.close();
    expect(written()).toBe(
      '\ufeffsep=^\r\nrejected_line^rejected_id^rejected_because^id^name\r\n3^a^No.^a^"b^c"\r\n',
    );
  });

  it('come without the reasons of an earlier time', () => {
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

it('refused records of JSON are written as they came, with the reasons first; what is no object among them', () => {
  const rejects = rejectsOf(NDJSON, []);
  const refusal = { accountId: 'a', messages: ['No.'] };
  rejects.add(unsent(1, ' {"account_id": "a",\n "x":1.50}\r'), refusal);
  rejects.add(unsent(2, '{ }'), refusal);
  rejects.add(unsent(3, '{"account_id":'), { accountId: null, messages: ['No JSON.'] });
  rejects.flush();
  rejects.close();
  expect(written()).toBe(
    '{"rejected_because":{"line":1,"account_id":"a","messages":["No."]},"account_id": "a",  "x":1.50}\n' +
      '{"rejected_because":{"line":2,"account_id":"a","messages":["No."]}}\n' +
      '{"rejected_because":{"line":3,"account_id":null,"messages":["No JSON."],"text":"{\\"account_id\\":"}}\n',
  );
});

it('there is no file where nothing is refused, not even that of an earlier run', () => {
  writeFileSync(path, 'of yesterday');
  rejectsOf(NDJSON, []).close();
  expect(existsSync(path)).toBe(false);
});

it('goes on behind what an earlier run had noted, over what it had not', () => {
  const first = rejectsOf(CSV, ['id']);
  first.add(unsent(2, ['a']), { accountId: 'a', messages: ['A.'] });
  first.flush();
  const noted = first.note;
  first.add(unsent(3, ['b']), { accountId: 'b', messages: ['A much longer reason than the next.'] });
  first.flush();
  first.close();
  const second = rejectsOf(CSV, ['id'], noted);
  expect(written()).toBe('\ufeffrejected_line;rejected_id;rejected_because;id\r\n2;a;A.;a\r\n');
  second.add(unsent(3, ['b']), { accountId: 'b', messages: ['B.'] });
  second.flush();
  second.close();
  expect(written()).toBe('\ufeffrejected_line;rejected_id;rejected_because;id\r\n2;a;A.;a\r\n3;b;B.;b\r\n');
});

it.each([
  ['there is no such directory', 'nowhere/rejects', 'ENOENT'],
  ['it is a directory itself', '', '.* is no file'],
])('says what to do before anything is refused, where %s', (_what, name, code) => {
  expect(() => new RejectsFile(join(directory, name), new RejectionLines(NDJSON, []))).toThrow(
    new RegExp(`^The refused rows cannot be written: ${code}.*Give --rejects <file>\\.$`),
  );
});

it('does not go on in a file that somebody has corrected meanwhile', () => {
  const first = rejectsOf(CSV, ['id', 'licenses']);
  first.add(unsent(2, ['a', 'many']), { accountId: 'a', messages: ['A.'] });
  first.flush();
  first.close();
  writeFileSync(path, written().replace('many', '25 and more'));
  expect(() => rejectsOf(CSV, ['id', 'licenses'], first.note)).toThrow(
    `${path} is not what it was when the import was broken off. Import from the beginning, without --resume; that writes it anew.`,
  );
  expect(written()).toContain('25 and more');
});

it('does not take the place of what is no file, a link included', () => {
  const precious = join(directory, 'precious');
  writeFileSync(precious, 'kept');
  symlinkSync(precious, path);
  expect(() => rejectsOf(NDJSON, [])).toThrow('is no file. Give --rejects <file>.');
  expect(readFileSync(precious, 'utf8')).toBe('kept');
});

it('fails for ever once it has failed: what was refused then is in no file', () => {
  const rejects = rejectsOf(NDJSON, []);
  const before = rejects.note;
  mkdirSync(path);
  rejects.add(unsent(1, '{}'), { accountId: null, messages: [] });
  expect(() => rejects.flush()).toThrow('The refused rows cannot be written: EEXIST');
  rmdirSync(path);
  expect(() => rejects.flush()).toThrow('The refused rows cannot be written: EEXIST');
  expect(rejects.note).toEqual(before);
});
