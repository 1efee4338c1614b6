import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RejectsFile } from './rejects-file.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'account-sync-test-'));
  path = join(directory, 'rejects');
});
afterEach(() => rmSync(directory, { recursive: true }));

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
    const rejects = new RejectsFile(path, CSV, ['Account ID', 'Notes; long']);
    rejects.add(unsent(2, ['=a', "'=1+1"]), { accountId: '=a', messages: ['Account =a, x.', 'B "quoted".'] });
    rejects.add(unsent(5, ['a', 'two\r\nlines']), { accountId: 'a', messages: ['C.'] });
    rejects.add(unsent(9, '"a"b;c'), { accountId: null, messages: ['D.'] });
    rejects.add(unsent(10, ['a']), { accountId: null, messages: ['E.'] });
    rejects.close();
    expect(written()).toBe(
      '\ufeffrejected_line;rejected_id;rejected_because;Account ID;"Notes; long"\r\n' +
        '2;\'=a;"Account =a, x. B ""quoted"".";=a;\'=1+1\r\n' +
        '5;a;C.;a;"two\r\nlines"\r\n' +
        '9;;D.;"a"b;c\r\n' +
        '10;;E.;a\r\n',
    );
  });

  it('come without the reasons of an earlier time', () => {
    const header = ['rejected_line', 'rejected_id', 'rejected_because', 'id'];
    const rejects = new RejectsFile(path, { ...CSV, hasMark: false }, header);
    rejects.add(unsent(2, ['17', 'a', 'Old.', 'a']), { accountId: 'a', messages: ['New.'] });
    rejects.close();
    expect(written()).toBe('rejected_line;rejected_id;rejected_because;id\r\n2;a;New.;a\r\n');
  });
});

it('refused records of JSON are written as they came, with the reasons first; what is no object among them', () => {
  const rejects = new RejectsFile(path, NDJSON, []);
  const refusal = { accountId: 'a', messages: ['No.'] };
  rejects.add(unsent(1, ' {"account_id": "a",\n "x":1.50}\r'), refusal);
  rejects.add(unsent(2, '{ }'), refusal);
  rejects.add(unsent(3, '{"account_id":'), { accountId: null, messages: ['No JSON.'] });
  rejects.close();
  expect(written()).toBe(
    '{"rejected_because":{"line":1,"account_id":"a","messages":["No."]},"account_id": "a",  "x":1.50}\n' +
      '{"rejected_because":{"line":2,"account_id":"a","messages":["No."]}}\n' +
      '{"rejected_because":{"line":3,"account_id":null,"messages":["No JSON."],"text":"{\\"account_id\\":"}}\n',
  );
});

it('there is no file where nothing is refused, not even that of an earlier run', () => {
  writeFileSync(path, 'of yesterday');
  new RejectsFile(path, NDJSON, []).close();
  expect(existsSync(path)).toBe(false);
});

it('goes on behind what an earlier run had noted, over what it had not', () => {
  const first = new RejectsFile(path, CSV, ['id']);
  first.add(unsent(2, ['a']), { accountId: 'a', messages: ['A.'] });
  first.flush();
  const noted = first.bytes;
  first.add(unsent(3, ['b']), { accountId: 'b', messages: ['A much longer reason than the next.'] });
  first.close();
  const second = new RejectsFile(path, CSV, ['id'], noted);
  expect(written()).toBe('\ufeffrejected_line;rejected_id;rejected_because;id\r\n2;a;A.;a\r\n');
  second.add(unsent(3, ['b']), { accountId: 'b', messages: ['B.'] });
  second.close();
  expect(written()).toBe('\ufeffrejected_line;rejected_id;rejected_because;id\r\n2;a;A.;a\r\n3;b;B.;b\r\n');
});

it('says what to do where it cannot be written', () => {
  const rejects = new RejectsFile(join(directory, 'nowhere', 'rejects'), NDJSON, []);
  rejects.add(unsent(1, '{}'), { accountId: null, messages: [] });
  expect(() => rejects.flush()).toThrow(
    /^The refused rows cannot be written: ENOENT.*Give --rejects <file>\.$/,
  );
});
