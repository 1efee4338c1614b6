import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ImportCaller } from './import-caller.js';

const CSV = 'CSV, separated by commas. An empty cell clears the stored value (--empty keep keeps it).';
const COLUMNS = `COLUMN      FIELD       TYPE
account_id  account_id  id
licenses    licenses    integer

`;

let caller: ImportCaller;
let turn = 0;
/** Ids of one test. */
let prefix = '';
beforeAll(async () => {
  caller = await ImportCaller.start([]);
});
beforeEach(() => {
  turn += 1;
  prefix = `t${turn}-`;
});
afterAll(() => caller.end());

const storedIds = async () =>
  (await caller.stored({ id_prefix: prefix })).map(({ account_id }) => account_id.slice(prefix.length));

const csv = (rows: readonly (readonly [id: string, licenses: string])[]) =>
  `account_id,licenses\n${rows.map(([id, licenses]) => `${prefix}${id},${licenses}\n`).join('')}`;

describe('a file without records', () => {
  it.each([
    [
      'header.csv',
      'account_id,licenses\n',
      'has a header, but no rows, so nothing was sent. Check that the export was complete.',
    ],
    ['empty.csv', '', 'is empty.'],
    ['blank.ndjson', '\n\n', 'contains no records.'],
    ['empty.json', '[ ]', 'contains no records.'],
  ])('%s stops with exit status 2', async (name, content, problem) => {
    const file = await caller.write(name, content);
    const { status, stdout, stderr } = await caller.import(file);
    expect([status, stdout]).toEqual([2, '']);
    const plan = name === 'header.csv' ? `${file}: ${CSV}\n\n${COLUMNS}` : '';
    expect(stderr).toBe(`${plan}${file} ${problem}\n`);
  });
});

describe('a file of which many of the first thousand records would be rejected', () => {
  /** The wrong rows come first; all rows after the first thousand are wrong too. */
  const fileOf = (wrong: number) => {
    const rows = Array.from({ length: 1_010 }, (_, at) => {
      const isWrong = at < wrong || at >= 1_000;
      return [String(at).padStart(4, '0'), isWrong ? `${at} seats` : '7'] as const;
    });
    return caller.write(`${prefix}half.csv`, csv(rows));
  };
  const REASON = (count: number) => `REJECTED  REASON
${String(count).padEnd(8)}  Account …, licenses has invalid integer value.
            line 2, ${prefix}0000: "0 seats"
            line 3, ${prefix}0001: "1 seats"
            line 4, ${prefix}0002: "2 seats"
            Accepted: a whole number: 12, -3, 1,000
            Add --convert "licenses=0 seats:…" with the value to send instead, or --ignore "licenses" to leave the column out
`;
  const STOPPED =
    'Nothing was stored. Correct what is listed above, or store the others with --max-rejected 100.\n';

  it('stops before anything is stored, and says why and what to do', async () => {
    const file = await fileOf(501);
    expect(await caller.import(file)).toEqual({
      status: 2,
      stdout: `1,000 records, nothing stored: 499 would be created, 0 updated, 0 unchanged, 501 rejected.\n\n${REASON(501)}`,
      stderr: `${file}: ${CSV}\n\n${COLUMNS}\n501 of the first 1,000 records would be rejected, more than 50 %. ${STOPPED}`,
    });
    expect(await storedIds()).toEqual([]);
    expect((await caller.files()).filter((name) => name.includes(prefix))).toEqual([`${prefix}half.csv`]);
  });

  it('is imported if half of them are right', async () => {
    const { status, stdout } = await caller.import(await fileOf(500));
    expect([status, stdout.split('\n')[0]]).toEqual([
      1,
      '1,010 records: 500 created, 0 updated, 0 unchanged, 510 rejected.',
    ]);
    expect(await storedIds()).toHaveLength(500);
  });

  it('is imported with a larger --max-rejected', async () => {
    const file = await fileOf(501);
    const { status, stdout } = await caller.import(file, '--max-rejected', '51');
    expect([status, stdout.split('\n')[0]]).toEqual([
      1,
      '1,010 records: 499 created, 0 updated, 0 unchanged, 511 rejected.',
    ]);
  });

  it('is imported with --max-rejected 100, also if nothing of it is right', async () => {
    const file = await caller.write(
      `${prefix}all.csv`,
      csv([
        ['a', 'many'],
        ['b', 'more'],
      ]),
    );
    const { status, stdout } = await caller.import(file, '--max-rejected', '100', '--json');
    expect([status, JSON.parse(stdout)]).toMatchObject([
      1,
      { dry_run: false, is_complete: true, refused: 2 },
    ]);
  });

  it('stops for one record with --max-rejected 0', async () => {
    const file = await caller.write(
      `${prefix}one.csv`,
      csv([
        ['a', '1'],
        ['b', '2'],
        ['c', 'many'],
      ]),
    );
    const { status, stderr } = await caller.import(file, '--max-rejected', '0');
    expect([status, stderr]).toEqual([
      2,
      `${file}: ${CSV}\n\n${COLUMNS}\n1 of the 3 records would be rejected, more than 0 %. ${STOPPED}`,
    ]);
    expect(await storedIds()).toEqual([]);
  });

  it('is read to its end by a dry run, which says at the end that an import would stop', async () => {
    const file = await fileOf(501);
    const { status, stdout, stderr } = await caller.import(file, '--dry-run');
    expect([status, stdout]).toEqual([
      2,
      `1,010 records, nothing stored: 499 would be created, 0 updated, 0 unchanged, 511 rejected.\n\n${REASON(511)}`,
    ]);
    expect(stderr).toBe(
      `${file}: ${CSV}\n\n${COLUMNS}\n501 of the first 1,000 records would be rejected, more than 50 %. An import would stop and store nothing. Correct what is listed above, or store the others with --max-rejected 100.\n`,
    );
  });
});

describe('rows for one account', () => {
  it('are counted and shown with their lines, and the later row wins', async () => {
    const ids = ['a', 'b', 'A', 'c', ' a ', 'b', 'Ä', 'A\u0308', 'b', 'b', 'B'];
    const rows = ids.map((id, at) => `${id.replace(/\S/, (letter) => prefix + letter)},${at}\n`);
    const file = await caller.write(`${prefix}twice.csv`, `account_id,licenses\n${rows.join('')}`);
    const dryRun = await caller.import(file, '--dry-run', '--json');
    expect(JSON.parse(dryRun.stdout).repeated_ids).toEqual({ same: 4, other_spelling: 3 });
    const id = (letter: string) => `${prefix}${letter}`;
    expect(await caller.import(file)).toEqual({
      status: 0,
      stdout: '11 records: 4 created, 7 updated, 0 unchanged, 0 rejected.\n',
      stderr: `${file}: ${CSV}

${COLUMNS}4 rows have an id that an earlier row has; the later row wins: ${id('a')} in line 6, as in line 2; ${id('b')} in line 7, as in line 3; ${id('b')} in line 10, as in line 3.
3 rows have an id that differs from that of an earlier row only by case or Unicode form, which is the same account: ${id('A')} in line 4, as in line 2; ${id('A\u0308')} in line 9, as in line 8; ${id('B')} in line 12, as in line 3.

`,
    });
    const stored = await caller.stored({ id_prefix: prefix });
    expect(
      stored.map(({ account_id, fields }) => [account_id.slice(prefix.length), fields.licenses]),
    ).toEqual([
      ['a', 4],
      ['b', 10],
      ['c', 3],
      ['ä', 7],
    ]);
  });
});

describe('the file of rejected rows', () => {
  const rejectsOf = (rows: readonly string[]) =>
    `rejected_line,rejected_id,rejected_because,account_id,licenses\n${rows.join('')}`;
  const rejected = (id: string, cell: string, line = 3) =>
    `${line},${prefix}${id},"Account ${prefix}${id}, licenses has invalid integer value.",${prefix}${id},${cell}\n`;
  /** Imports a row that is right and one that is wrong, and returns where the rejected one is. */
  const importWrong = async (cell: string) => {
    const file = await caller.write(
      `${prefix}file.csv`,
      csv([
        ['right', '1'],
        ['wrong', cell],
      ]),
    );
    const { stdout } = await caller.import(file);
    return /The rejected rows are in (.*)\. Correct/.exec(stdout)?.[1];
  };
  const content = (name: string) => readFile(caller.path(name), 'utf8');
  const names = async () =>
    (await caller.files()).filter((name) => name.includes(prefix)).map((name) => name.replace(prefix, ''));

  it('is replaced with its mark, unless it was edited', async () => {
    const path = caller.path(`${prefix}file.rejects.csv`);
    expect(await importWrong('many')).toBe(path);
    const text = rejectsOf([rejected('wrong', 'many')]);
    expect(await content(`${prefix}file.rejects.csv`)).toBe(text);
    expect(await content(`.${prefix}file.rejects.csv.sha256`)).toBe(
      `${createHash('sha256').update(text).digest('hex')}  ${prefix}file.rejects.csv\n`,
    );
    expect(await importWrong('more')).toBe(path);
    expect(await content(`${prefix}file.rejects.csv`)).toBe(rejectsOf([rejected('wrong', 'more')]));
    expect(await names()).toEqual(['.file.rejects.csv.sha256', 'file.csv', 'file.rejects.csv']);
    await importWrong('2');
    expect(await names()).toEqual(['file.csv']);
  });

  it('is kept once it was edited, and new rows go to the next free name', async () => {
    await importWrong('many');
    const edited = `${await content(`${prefix}file.rejects.csv`)}an edit of an hour\n`;
    await caller.write(`${prefix}file.rejects.csv`, edited);
    expect(await importWrong('more')).toBe(caller.path(`${prefix}file.rejects.2.csv`));
    expect(await importWrong('most')).toBe(caller.path(`${prefix}file.rejects.2.csv`));
    expect(await content(`${prefix}file.rejects.csv`)).toBe(edited);
    expect(await content(`${prefix}file.rejects.2.csv`)).toBe(rejectsOf([rejected('wrong', 'most')]));
    await importWrong('2');
    expect(await names()).toEqual(['.file.rejects.csv.sha256', 'file.csv', 'file.rejects.csv']);
    expect(await content(`${prefix}file.rejects.csv`)).toBe(edited);
  });

  it('that --rejects names is kept if an import has not written it', async () => {
    const own = await caller.write(`${prefix}own.csv`, 'my notes\n');
    const file = await caller.write(
      `${prefix}file.csv`,
      csv([
        ['right', '1'],
        ['wrong', 'many'],
      ]),
    );
    await caller.import(file, '--rejects', own);
    expect(await content(`${prefix}own.csv`)).toBe('my notes\n');
    expect(await content(`${prefix}own.2.csv`)).toBe(rejectsOf([rejected('wrong', 'many')]));
  });
});
