import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportCaller } from '../cli/import-caller.js';

const TABLE = `REJECTED  REASON
1         Account …, licenses has invalid integer value.
            line 1, many: "many"
            Accepted: a whole number: 12, -3, 1,000
            Add --convert "licenses=many:…" with the value to send instead, or --ignore "licenses" to leave the column out
`;
/** Most rows of these files are rejected. */
const ALL_REJECTED = ['--max-rejected', '100', '--quiet'];

describe('rejected rows', () => {
  let caller: ImportCaller;
  beforeAll(async () => {
    caller = await ImportCaller.start([]);
  });
  afterAll(() => caller.end());

  it('of standard input are saved only with --rejects', async () => {
    const lines = '{"account_id":"many","licenses":"many"}\n';
    const counts = '1 record: 0 created, 0 updated, 0 unchanged, 1 rejected.\n\n';
    const notSaved = 'The rejected rows were not saved. To save them, add --rejects <file>.\n';
    expect(await caller.importPiped(lines, ...ALL_REJECTED)).toEqual({
      status: 1,
      stdout: `${counts}${TABLE}\n${notSaved}`,
      stderr: '',
    });
    const rejects = caller.path('piped.ndjson');
    expect(await caller.importPiped(lines, ...ALL_REJECTED, '--rejects', rejects)).toEqual({
      status: 1,
      stdout: `${counts}${TABLE}\nThe rejected rows are in ${rejects}. Correct them there and import that file.\n`,
      stderr: '',
    });
    await caller.write('piped.ndjson', (await readFile(rejects, 'utf8')).replace(':"many"}', ':5}'));
    expect(await caller.import(rejects, '--quiet')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect((await caller.client.get('many'))?.fields).toEqual({ licenses: 5 });
  });

  it('that someone is correcting are kept when the file is imported again', async () => {
    const file = await caller.write('b.csv', 'account_id,licenses\nb-1,some\nb-2,few\n');
    const [first, second] = [caller.path('b.rejects.csv'), caller.path('b.rejects.2.csv')];
    const imported = async (path: string) => {
      const { status, stdout } = await caller.import(path, ...ALL_REJECTED);
      return [status, /^The rejected rows are in (.+?)\. Correct/m.exec(stdout)?.[1]];
    };
    expect(await imported(file)).toEqual([1, first]);
    const written = await readFile(first, 'utf8');
    expect(await imported(file)).toEqual([1, first]);
    const corrected = written.replaceAll('some', '1');
    await caller.write('b.rejects.csv', corrected);
    expect(await imported(file)).toEqual([1, second]);
    expect(await readFile(first, 'utf8')).toBe(corrected);
    expect(await readFile(second, 'utf8')).toBe(written);
    expect(await imported(first)).toEqual([1, caller.path('b.rejects.rejects.csv')]);
    expect(await caller.stored({ id_prefix: 'b-' })).toMatchObject([
      { account_id: 'b-1', fields: { licenses: 1 } },
    ]);
    expect((await caller.files()).filter((name) => /^\.?b\./.test(name))).toEqual([
      '.b.rejects.2.csv.sha256',
      '.b.rejects.csv.sha256',
      '.b.rejects.rejects.csv.sha256',
      'b.csv',
      'b.rejects.2.csv',
      'b.rejects.csv',
      'b.rejects.rejects.csv',
    ]);
  });

  it('can be imported again unchanged, with the same command as the original file', async () => {
    const HEADER = 'account_id^name^licenses';
    const rows = ['m1^"Müller ^ Söhne €"^many', 'm2', '"m3"x^Café^1'];
    const content = `sep=^\r\n${[HEADER, 'm0^Größe^1', ...rows].join('\r\n')}\r\n`;
    await caller.write('a.csv', Buffer.from(content.replace('€', '\x80'), 'latin1'));
    const imported = async (name: string) =>
      (await caller.import(caller.path(name), '--encoding', 'windows-1252', ...ALL_REJECTED)).status;
    const rejected = (lines: readonly number[], reasons: readonly string[]) =>
      `\ufeffsep=^\r\nrejected_line^rejected_id^rejected_because^${HEADER}\r\n${rows
        .map((row, at) => `${lines[at]}^${reasons[at]}^${row}\r\n`)
        .join('')}`;
    const reasons = (cells: number, header: number, broken: number) => [
      'm1^"Account m1, licenses has invalid integer value."',
      `^"The row has ${cells} cells, the header ${header}."`,
      `^"Text follows the closing quote of cell ${broken}; quotes inside a quoted cell are written twice."`,
    ];

    expect(await imported('a.csv')).toBe(1);
    const first = await readFile(caller.path('a.rejects.csv'), 'utf8');
    expect(first).toBe(rejected([4, 5, 6], reasons(1, 3, 1)));
    expect(await imported('a.rejects.csv')).toBe(1);
    const second = await readFile(caller.path('a.rejects.rejects.csv'), 'utf8');
    expect(second).toBe(rejected([3, 4, 5], reasons(4, 6, 4)));
    expect(await imported('a.rejects.rejects.csv')).toBe(1);
    const third = caller.path('a.rejects.rejects.rejects.csv');
    expect(await readFile(third, 'utf8')).toBe(second);

    const corrected = second.replace('^many', '^7').replace('^m2', '^m2^^').replace('"m3"x', '"m3""x"');
    await caller.write('a.rejects.csv', corrected);
    expect(await imported('a.rejects.csv')).toBe(0);
    const stored = (account_id: string, name: string | null, fields: object) => ({
      account_id,
      parent_account_id: null,
      name,
      fields,
    });
    expect(await caller.stored({ id_prefix: 'm' })).toEqual([
      stored('m0', 'Größe', { licenses: 1 }),
      stored('m1', 'Müller ^ Söhne €', { licenses: 7 }),
      stored('m2', null, {}),
      stored('m3"x', 'Café', { licenses: 1 }),
      stored('many', null, { licenses: 5 }),
    ]);
  });
});
