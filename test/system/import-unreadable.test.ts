import { mkdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportCaller } from '../cli/import-caller.js';

const UTF_8 = 'Give its encoding, for example --encoding windows-1252 for a CSV file from Excel.';
const EMPTY_CELLS = 'An empty cell clears the stored value (--empty keep keeps it).';

describe('import of an unreadable file', () => {
  let caller: ImportCaller;
  beforeAll(async () => {
    caller = await ImportCaller.start([]);
    await mkdir(caller.path('directory'));
  });
  afterAll(() => caller.end());

  it.each<[what: string, name: string, content: string | Buffer | undefined, sentence: string]>([
    ['a file that is not there', 'missing.csv', undefined, 'does not exist. Check the path.'],
    ['a directory', 'directory', undefined, 'is a directory. Name a file in it.'],
    ['an empty file', 'empty.csv', '', 'is empty.'],
    ['nothing but a mark', 'mark.csv', '\ufeff', 'is empty.'],
    ['blank lines', 'blank.csv', '\r\n \r\n', 'contains no records.'],
    ['an empty array', 'empty.json', '[ ]', 'contains no records.'],
    [
      'a workbook',
      'accounts.xlsx',
      Buffer.from('PK\u0003\u0004…'),
      'is a workbook or a zip file. Save it as CSV first.',
    ],
    [
      'an archive that is cut off',
      'cut.csv.gz',
      gzipSync('account_id\nacme\n').subarray(0, -9),
      'cannot be decompressed: unexpected end of file. Get a complete copy of the file.',
    ],
    [
      'another encoding',
      'latin.csv',
      Buffer.from('account_id,name\nacme,Müller\n', 'latin1'),
      `is not valid UTF-8 at byte 23. ${UTF_8}`,
    ],
  ])('%s', async (_what, name, content, sentence) => {
    const path = content === undefined ? caller.path(name) : await caller.write(name, content);
    expect(await caller.import(path)).toEqual({ status: 2, stdout: '', stderr: `${path} ${sentence}\n` });
  });

  it('empty standard input, or an unknown encoding', async () => {
    expect(await caller.importPiped('')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'Standard input is empty.\n',
    });
    const { status, stdout, stderr } = await caller.importPiped(
      'account_id\nacme\n',
      '--encoding',
      'utf-9',
      '--json',
    );
    const problem =
      'The encoding utf-9 is unknown. Use for example utf-8, utf-16le, windows-1252 or iso-8859-15.';
    expect([status, JSON.parse(stdout), stderr]).toEqual([2, { file: '-', is_complete: false, problem }, '']);
  });

  it('a CSV header with misplaced quotes', async () => {
    const path = await caller.write('head.csv', 'account_id,"na"me\nacme,Acme\n');
    expect(await caller.import(path)).toEqual({
      status: 2,
      stdout: '',
      stderr: `${path}, line 1: Text follows the closing quote of cell 2; quotes inside a quoted cell are written twice.\n`,
    });
  });

  it('a header without rows, which an export that has failed may leave', async () => {
    const path = await caller.write('head-only.csv', 'account_id;name\r\n');
    const stderr = `${path}: CSV, separated by semicolons. ${EMPTY_CELLS}

COLUMN      FIELD       TYPE
account_id  account_id  id
name        name        text

${path} has a header, but no rows, so nothing was sent. Check that the export was complete.
`;
    expect(await caller.import(path)).toEqual({ status: 2, stdout: '', stderr });
    expect(await caller.import(path, '--dry-run')).toEqual({ status: 2, stdout: '', stderr });
  });

  it('stores nothing of a file with a late fault, and reports its position', async () => {
    const row = (n: number) => `acme-${n},${'x'.repeat(100)}\n`;
    const good = `account_id,name\n${Array.from({ length: 1_500 }, (_, n) => row(n)).join('')}`;
    const path = await caller.write(
      'late.csv',
      Buffer.concat([Buffer.from(good), Buffer.from([0xfc, 0x0a])]),
    );
    const fault = `${path} is not valid UTF-8 at byte ${(good.length + 1).toLocaleString('en-US')}. ${UTF_8}`;
    expect(await caller.import(path, '--quiet')).toEqual({ status: 2, stdout: '', stderr: `${fault}\n` });
    expect(await caller.stored()).toEqual([]);
  });

  it('leaves no progress file, because correcting the file changes it', async () => {
    expect(await caller.client.get('acme')).toBe(undefined);
    expect((await caller.files()).filter((name) => /rejects|progress/.test(name))).toEqual([]);
  });
});
