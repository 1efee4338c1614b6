import type { Json } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { columnOf, columnOptions } from '../../../test/support/import-parts.js';
import { ColumnPlan } from './column-plan.js';
import { Conversion } from './conversion/conversion.js';
import type { Conversions } from './file-scan.js';
import { itemOfRow, itemOfText } from './items.js';
import { KnownFields } from './known-fields.js';

function planOf(
  names: readonly string[],
  map: Record<string, string>,
  isCsv: boolean,
  ignore: string[] = [],
) {
  const plan = new ColumnPlan(new KnownFields(undefined), columnOptions({ map, ignore }), isCsv);
  return { plan, columns: plan.addAll(names) };
}

const NONE: Conversions = new Map();
/** `Yes` and `No` become booleans, `n/a` an empty cell. */
const CONVERTED: Conversions = new Map([
  [
    'custom_Active',
    {
      column: columnOf('Active', 'custom_Active'),
      conversion: new Conversion(
        undefined,
        [
          {
            name: 'yes-no',
            label: 'yes/no',
            read: (text) => (text === 'Yes' ? true : text === 'No' ? false : undefined),
          },
        ],
        true,
        new Map([['n/a', null]]),
      ),
      uses: [],
    },
  ],
]);

describe('a CSV row', () => {
  const { columns } = planOf(['account_id', 'Notes', 'x:json', ''], { '*': '*' }, true);
  const item = (cells: string[], empty: 'clear' | 'keep' = 'clear') =>
    itemOfRow(columns, empty, NONE)({ line: 7, cells });

  it.each<[string, string[], Record<string, Json>]>([
    ['text unchanged', ['a', ' 007 ', '', ''], { account_id: 'a', Notes: ' 007 ', x: null }],
    ['an empty cell as no value', ['a', '', '', ''], { account_id: 'a', Notes: null, x: null }],
    ['an apostrophe alone as an empty text', ['a', "'", '', ''], { account_id: 'a', Notes: '', x: null }],
    [
      'a marked formula without its mark',
      ["'=a", "'-1+2", '', ''],
      { account_id: '=a', Notes: '-1+2', x: null },
    ],
    ['an apostrophe that is not a mark', ['a', "'tis", '', ''], { account_id: 'a', Notes: "'tis", x: null }],
    [
      'JSON of any kind',
      ['a', '', '{"y":[1,"2"]}', ''],
      { account_id: 'a', Notes: null, x: { y: [1, '2'] } },
    ],
  ])('sends %s', (_what, cells, record) => {
    expect(item(cells)).toEqual({ line: 7, record, original: cells });
  });

  it('omits the field of an empty cell with --empty keep', () => {
    expect(item(['a', '', '', ''], 'keep').record).toEqual({ account_id: 'a' });
  });

  it.each<[string, string[], string]>([
    ['has too few cells', ['a', 'b'], 'The row has 2 cells, the header 4.'],
    ['has too many cells', ['a', 'b', '1', '', ''], 'The row has 5 cells, the header 4.'],
    ['has broken JSON', ['a', 'b', '{', ''], 'The cell of x:json is not valid JSON.'],
    [
      'has a number that is too large',
      ['a', 'b', '[1e400]', ''],
      'The cell of x:json contains a number that is too large.',
    ],
    ['has a value without a name', ['a', 'b', '', 'c'], 'Cell 4 has a value, but its column has no name.'],
  ])('is not sent if it %s', (_what, cells, problem) => {
    expect(item(cells)).toEqual({ line: 7, record: undefined, problem, original: cells });
  });

  it('is not sent if it is broken', () => {
    const broken = { line: 7, text: '"a"b', problem: 'Why.' };
    expect(itemOfRow(columns, 'clear', NONE)(broken)).toEqual({
      line: 7,
      record: undefined,
      problem: 'Why.',
      original: '"a"b',
    });
  });

  it.each<[cell: string, cleared: Record<string, Json>, kept: Record<string, Json>]>([
    ['Yes', { custom_Active: true }, { custom_Active: true }],
    ["'-", { custom_Active: '-' }, { custom_Active: '-' }],
    ['perhaps', { custom_Active: 'perhaps' }, { custom_Active: 'perhaps' }],
    [' n/a ', { custom_Active: null }, {}],
    ['', { custom_Active: null }, {}],
  ])('sends the converted value of %j', (cell, cleared, kept) => {
    const map = { Active: 'custom_Active', 'Active:json': 'x' };
    const active = planOf(['account_id', 'Active', 'Active:json'], map, true).columns;
    const cells = ['a', cell, '"Yes"'];
    const record = (empty: 'clear' | 'keep') =>
      itemOfRow(active, empty, CONVERTED)({ line: 2, cells }).record;
    expect(record('clear')).toEqual({ account_id: 'a', ...cleared, x: 'Yes' });
    expect(record('keep')).toEqual({ account_id: 'a', ...kept, x: 'Yes' });
  });
});

describe('a new field without a value is not sent, because nothing declares it', () => {
  const options = columnOptions({ isDeclaring: true });
  const fax = { column: columnOf('Fax', 'custom_Fax'), conversion: new Conversion(undefined, []), uses: [] };
  const conversions: Conversions = new Map([...CONVERTED, ['custom_Fax', { ...fax, isUnsent: true }]]);
  const columnsOf = (isCsv: boolean) => {
    const plan = new ColumnPlan(new KnownFields(undefined), options, isCsv);
    return { plan, columns: plan.addAll(['account_id', 'Active', 'Fax']) };
  };

  it('in a CSV row', () => {
    const { columns } = columnsOf(true);
    const item = itemOfRow(columns, 'clear', conversions)({ line: 2, cells: ['a', '', ''] });
    expect(item.record).toEqual({ account_id: 'a', custom_Active: null });
  });

  it('in a JSON record', () => {
    const { plan } = columnsOf(false);
    const record = (text: string) => itemOfText({ line: 2, text }, plan, conversions).record;
    expect(record('{"account_id":"a","custom_Active":null,"custom_Fax":null}')).toEqual({
      account_id: 'a',
      custom_Active: null,
    });
  });
});

describe('a JSON record', () => {
  const { plan } = planOf(['account_id', 'Seats', 'Notes'], { Seats: 'licenses' }, false, ['Notes']);
  const item = (text: string) => itemOfText({ line: 7, text }, plan, NONE);

  it.each([
    ['needs no renaming', '{"account_id": "a",  "licenses":9007199254740993, "name":1e400}'],
    ['is not an object', '["a"]'],
    ['is not JSON', '{"account_id":'],
  ])('is sent byte for byte if it %s', (_what, text) => {
    expect(item(text)).toEqual({ line: 7, record: text, original: text });
  });

  it('is sent with mapped names and without ignored fields', () => {
    const text = '{"AccountId":"a","Notes":1e400,"Seats":{"__proto__":1}}';
    expect(item(text)).toMatchObject({
      record: undefined,
      problem: 'The record contains a number that is too large.',
    });
    const other = '{"AccountId":"a","Notes":"x","Seats":{"__proto__":1}}';
    expect(JSON.stringify(item(other).record)).toBe('{"account_id":"a","licenses":{"__proto__":1}}');
  });

  it.each([
    [
      'a number that is too large',
      `{"account_id":"a","x":1e400,${'"rejected_because":{"line":1,"messages":[]}'}}`,
    ],
    [
      'a field named rejected_because that is not ours',
      '{"account_id":"a","rejected_because":"a field of that name"}',
    ],
  ])('keeps %s', (_what, text) => {
    expect(item(text).original).toBe(text);
  });

  it('is not sent if it is invalid JSON with line ends', () => {
    const text = '{"account_id":"a","name":"one\ntwo"}';
    const problem = 'The record is not valid JSON.';
    expect(item(text)).toEqual({ line: 7, record: undefined, problem, original: text });
    const spread = '{"account_id":\r\n"a"}';
    expect(item(spread)).toEqual({ line: 7, record: '{"account_id": "a"}', original: spread });
  });

  it('is not serialised again if it is nested too deeply', () => {
    const text = `{"account_id":"a","Seats":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(item(text).problem).toBe('The record is nested deeper than 32 levels.');
  });

  it('is not sent if two of its names map to one field', () => {
    const text = '{"account_id":"a","AccountId":"b"}';
    const problem = 'The record contains account_id under two names.';
    expect(item(text)).toEqual({ line: 7, record: undefined, problem, original: text });
  });

  it('is not sent if it has an unknown name', () => {
    const text = '{"account_id":"a","colour":"red"}';
    const problem =
      'Field "colour" is unknown. Add --map "colour=custom_colour" to send it, or --ignore "colour"';
    expect(item(text)).toEqual({ line: 7, record: undefined, problem, original: text });
  });

  it('is sent with converted texts, and with other values as they are', () => {
    const names = ['account_id', 'custom_Active'];
    const active = planOf(names, { '*': '*' }, false).plan;
    const record = (value: string) =>
      itemOfText({ line: 7, text: `{"account_id": "a",  "custom_Active":${value}}` }, active, CONVERTED)
        .record;
    expect(record('"Yes"')).toEqual({ account_id: 'a', custom_Active: true });
    expect(record('"n/a"')).toEqual({ account_id: 'a', custom_Active: null });
    for (const same of ['"perhaps"', 'true', '1.50', '["Yes"]', 'null']) {
      expect(record(same)).toBe(`{"account_id": "a",  "custom_Active":${same}}`);
    }
  });

  const REASONS = '"rejected_because":{"line":1,"account_id":null,"messages":["No, }"]}';
  it.each([
    ['first', `{${REASONS},"account_id":"a", "licenses":1.50}`, '{"account_id":"a", "licenses":1.50}'],
    ['last', `{"account_id":"a" , ${REASONS}}`, '{"account_id":"a"}'],
    ['alone', `{${REASONS}}`, '{}'],
    ['around it', '{"rejected_because":{"line":1,"messages":[],"text":"{oops"}}', '{oops'],
  ])('is sent without the reasons of an earlier rejection, which are %s', (_where, text, original) => {
    expect(item(text)).toEqual({ line: 7, record: original, original });
  });
});
