import { describe, expect, it } from 'vitest';
import { csvFile } from '../../../console/src/pages/accounts/csv/csv-file.js';
import { NO_PRESENTATION } from '../../domain/presentation.js';
import { cellOfText, csvRow } from '../../formats/csv-cells.js';
import { Columns } from './columns.js';

const TEXTS = [
  '',
  ' ',
  'plain',
  '=1+1',
  '+1',
  '-1',
  '@a',
  '\ttab',
  '\r',
  "'",
  "it's",
  '＝x',
  ' =1',
  '\u00a0+1',
  '\ufeff-1',
  '\u200b@a',
  '\u0001=1',
  '\u3164＝1',
  '\u200bplain',
  'a,b',
  'a;b',
  'a|b',
  '"',
  'end ',
  'two\nlines',
];

describe('a CSV file from the console', () => {
  it('has the same cell for each text as the command line', () => {
    const [, , ...lines] = csvFile(
      [{ name: 'custom_A' }],
      TEXTS.map((text) => [text]),
    );
    expect(lines).toEqual(TEXTS.map((text) => `${csvRow([cellOfText(text)])}\r\n`));
  });

  it('has the columns and values of the command line, with JSON for values that are not text', () => {
    const attribute = {
      choices: [],
      read_only: false,
      built_in: false,
      owner: null,
      ...NO_PRESENTATION,
      index: 'none',
      index_progress: null,
      accounts: 0,
    } as const;
    const columns = [
      { name: 'custom_Count', type: 'integer' },
      { name: 'custom_Yes', type: 'boolean' },
      { name: 'custom_Mixed', type: 'text' },
      { name: 'custom_A:json', type: 'text' },
    ] as const;
    const records = [
      { custom_Count: 3, custom_Yes: true, custom_Mixed: 'x', 'custom_A:json': '=a' },
      { custom_Count: null, custom_Yes: false, custom_Mixed: ['a', { b: 1 }], 'custom_A:json': null },
    ];
    const command = new Columns(columns.map((column) => ({ ...attribute, ...column })));
    for (const record of records) command.add(record);
    const { head, row } = command.close();
    const names = ['account_id', 'parent_account_id', 'name'].map((name) => ({ name }));
    const rows = records.map((record) => [null, null, null, ...Object.values(record)]);
    expect(csvFile([...names, ...columns], rows)).toEqual([
      '\uFEFF',
      ...[head, ...records.map(row)].map((line) => `${line}\r\n`),
    ]);
  });
});
