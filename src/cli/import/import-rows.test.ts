import { describe, expect, it } from 'vitest';
import { columnOptions } from '../../../test/support/import-parts.js';
import { CommandFailed } from '../terminal/command-line.js';
import { ColumnPlan } from './column-plan.js';
import { Conversion } from './conversion/conversion.js';
import type { Conversions } from './file-scan.js';
import { FileScan } from './file-scan.js';
import { type ImportRows, openRows } from './import-rows.js';
import type { ImportItem } from './items.js';
import { KnownFields } from './known-fields.js';
import type { ImportFile } from './open-import-file.js';

const KNOWN = new KnownFields(undefined);
const OPTIONS = columnOptions({ map: { '*': '*' } });

/** A file with this text, in pieces of a few characters. */
function fileOf(text: string, format: ImportFile['format'] = 'csv'): ImportFile {
  return {
    name: 'accounts',
    isPipe: false,
    format,
    delimiter: ',',
    lineEnd: '\n',
    hasMark: false,
    size: text.length,
    bytesRead: 0,
    firstLine: 1,
    async *text() {
      for (let at = 0; at < text.length; at += 7) yield text.slice(at, at + 7);
    },
    close: () => Promise.resolve(),
  };
}

const open = ({ format, ...file }: ImportFile): Promise<ImportRows> =>
  openRows({ format, ...file }, new ColumnPlan(KNOWN, OPTIONS, format === 'csv'), 'clear');

async function itemsOf(rows: ImportRows, conversions: Conversions = new Map()): Promise<ImportItem[]> {
  const items: ImportItem[] = [];
  for await (const batch of rows.batches(conversions)) items.push(...batch);
  return items;
}

/** Reads all values, as the import does before it sends the first. */
async function scanOf(rows: ImportRows): Promise<FileScan> {
  const scan = new FileScan(KNOWN, OPTIONS, undefined);
  for await (const _piece of rows.scan(scan));
  return scan;
}

const record = (account_id: string, others: Record<string, unknown> = {}) => ({ account_id, ...others });

describe('the rows of a CSV file', () => {
  const TEXT = 'account_id,licenses\na,"1,000"\nb\nA,5\n"c"d,1\na,\'-7\n';

  it('are read several times: all values first, then as records', async () => {
    const rows = await open(fileOf(TEXT));
    expect([rows.header, rows.columns.map(({ field }) => field)]).toEqual([
      ['account_id', 'licenses'],
      ['account_id', 'licenses'],
    ]);
    const scan = await scanOf(rows);
    const { conversions, problems } = scan.result();
    expect([scan.records, problems, [...conversions.keys()]]).toEqual([5, [], ['licenses']]);
    expect(conversions.get('licenses')?.uses.map(({ reading, count }) => [reading.name, count])).toEqual([
      ['1,000.00', 1],
    ]);
    expect([scan.ids.same.examples, scan.ids.otherSpelling.examples]).toEqual([
      [{ id: 'a', line: 6, firstLine: 2 }],
      [{ id: 'A', line: 4, firstLine: 2 }],
    ]);
    const items = await itemsOf(rows, conversions);
    expect(items.map(({ line, record: sent, problem }) => [line, sent ?? problem])).toEqual([
      [2, record('a', { licenses: 1000 })],
      [3, 'The row has 1 cells, the header 2.'],
      [4, record('A', { licenses: '5' })],
      [5, 'Text follows the closing quote of cell 1; quotes inside a quoted cell are written twice.'],
      [6, record('a', { licenses: '-7' })],
    ]);
    expect(await itemsOf(rows, conversions)).toEqual(items);
  });

  it('show a rejected value as the file has it, without the apostrophe that marks a text', async () => {
    const rows = await open(fileOf(TEXT));
    const [first, short, , broken, last] = (await itemsOf(rows)) as [
      ImportItem,
      ImportItem,
      ImportItem,
      ImportItem,
      ImportItem,
    ];
    expect([first, short, broken, last].map((item) => rows.original(item, 'licenses'))).toEqual([
      '1,000',
      undefined,
      undefined,
      '-7',
    ]);
    expect([rows.original(first, 'account_id'), rows.original(first, 'name')]).toEqual(['a', undefined]);
  });

  it('of a file of rejected rows begin with three columns that are skipped', async () => {
    const rows = await open(
      fileOf('rejected_line,rejected_id,rejected_because,account_id,rejected_line\n7,x,No.,a,8\n'),
    );
    expect(rows.columns.map(({ field, reason }) => [field, reason])).toEqual([
      ...Array(3).fill([undefined, 'from a file of rejected rows']),
      ['account_id', ''],
      ['rejected_line', '--map'],
    ]);
    expect((await itemsOf(rows)).map((item) => item.record)).toEqual([record('a', { rejected_line: '8' })]);
    expect([rows.isOfRejectedRows, (await open(fileOf('account_id\na\n'))).isOfRejectedRows]).toEqual([
      true,
      false,
    ]);
  });

  it('are none below a header alone', async () => {
    const rows = await open(fileOf('account_id'));
    expect([await itemsOf(rows), (await scanOf(rows)).records]).toEqual([[], 0]);
  });

  it('need a header', async () => {
    await expect(open(fileOf('\n \n'))).rejects.toThrow(new CommandFailed('accounts contains no records.'));
    await expect(open(fileOf('"a"b,c\n'))).rejects.toThrow(
      new CommandFailed(
        'accounts, line 1: Text follows the closing quote of cell 1; quotes inside a quoted cell are written twice.',
      ),
    );
  });

  it('may have many columns', async () => {
    const names = Array.from({ length: 10_000 }, (_, number) => `Column ${number}`);
    const rows = await open(fileOf(`account_id,${names}\na,${names.map((_, number) => number)}\n`));
    const [item] = await itemsOf(rows);
    expect(Object.keys(item?.record ?? {})).toHaveLength(10_001);
  });
});

describe('JSON records', () => {
  const LINES = ['{"account_id":"a","licenses":"1,000"}', '', '[', '{"account_id":"A","name":null}'];

  it.each([
    ['one a line', 'ndjson', LINES.join('\n')],
    ['in an array', 'json', `[\n${LINES[0]},\n\n${LINES[3]}]`],
  ] as const)('%s are read several times, too', async (_what, format, text) => {
    const rows = await open(fileOf(text, format));
    const scan = await scanOf(rows);
    const { conversions } = scan.result();
    const isArray = format === 'json';
    expect([rows.header, scan.records, [...conversions.keys()]]).toEqual([[], isArray ? 2 : 3, ['licenses']]);
    expect(scan.ids.otherSpelling.examples).toEqual([{ id: 'A', line: 4, firstLine: isArray ? 2 : 1 }]);
    const items = await itemsOf(rows, conversions);
    expect(items.map(({ record: sent }) => sent)).toEqual([
      record('a', { licenses: 1000 }),
      ...(isArray ? [] : ['[']),
      '{"account_id":"A","name":null}',
    ]);
    expect(await itemsOf(rows, conversions)).toEqual(items);
    expect(rows.original(items[0] as ImportItem, 'licenses')).toBe('1,000');
    expect(rows.original(items.at(-1) as ImportItem, 'name')).toBe('null');
  });

  it('of a file of rejected records are scanned without the reasons', async () => {
    const reasons = '"rejected_because":{"line":1,"messages":[]}';
    const text = `{"account_id":"a"}\n{${reasons},"account_id":"b"}\n{${reasons},"account_id":"a"}\n`;
    const rows = await open(fileOf(text, 'ndjson'));
    const rejected = await open(fileOf(`{${reasons},"account_id":"b"}`, 'ndjson'));
    expect([rows.isOfRejectedRows, rejected.isOfRejectedRows]).toEqual([false, true]);
    expect((await scanOf(rows)).ids.same.examples).toEqual([{ id: 'a', line: 3, firstLine: 1 }]);
    expect((await itemsOf(rows)).map((item) => item.record)).toEqual([
      '{"account_id":"a"}',
      '{"account_id":"b"}',
      '{"account_id":"a"}',
    ]);
  });

  it('may have names that the first ones do not have', async () => {
    const rows = await open(fileOf('{"account_id":"a"}\n{"account_id":"b","licenses":"Twelve"}\n', 'ndjson'));
    expect(rows.columns.map(({ name }) => name)).toEqual(['account_id']);
    const conversion = new Conversion(undefined, []).with(new Map([['Twelve', '12']]));
    const column = { name: 'licenses', field: 'licenses', type: '', reason: '', isJson: false };
    const conversions = new Map([['licenses', { column, conversion, uses: [] }]]);
    expect((await itemsOf(rows, conversions)).at(-1)?.record).toEqual(record('b', { licenses: '12' }));
  });

  it('need a record', async () => {
    await expect(open(fileOf('\n \n', 'ndjson'))).rejects.toThrow(
      new CommandFailed('accounts contains no records.'),
    );
    await expect(open(fileOf('[ ]', 'json'))).rejects.toThrow(
      new CommandFailed('accounts contains no records.'),
    );
  });
});
