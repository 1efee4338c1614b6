import { describe, expect, it } from 'vitest';
import { attribute, chosen, columnOf, columnOptions } from '../../../test/support/import-parts.js';
import type { Column } from './column-plan.js';
import { FileScan } from './file-scan.js';
import { KnownFields } from './known-fields.js';
import type { Preset } from './presets/preset.js';
import { SALESFORCE } from './presets/salesforce.js';

const KNOWN = new KnownFields({
  data: [
    attribute('licenses', 'integer'),
    attribute('custom_Tier', 'choice', { choices: ['gold'] }),
    attribute('custom_Notes', 'text'),
    attribute('custom_Renewal', 'date'),
    attribute('custom_Price', 'decimal'),
  ],
  undeclared: [],
});

interface Given extends NonNullable<Parameters<typeof columnOptions>[0]> {
  readonly preset?: Preset;
}

/** What a scan of these columns, each with its cells, finds out. */
function scanned(columns: readonly (readonly [Column, readonly string[]])[], given: Given = {}) {
  const { preset, ...options } = given;
  const scan = new FileScan(KNOWN, columnOptions(options), preset);
  for (const [column, cells] of columns) {
    const collector = scan.collector(column);
    for (const [at, cell] of cells.entries()) collector?.add(cell, at + 2);
  }
  const { conversions, problems } = scan.result();
  const readings = [...conversions].map(([field, { uses, proposal }]) => [
    field,
    uses.map(({ reading }) => reading.name),
    ...(proposal === undefined ? [] : [proposal.type]),
  ]);
  return { readings, problems, ids: scan.ids };
}

const column = (field: string, other: Partial<Column> = {}) => columnOf(field, field, other);

describe('nothing has to be known of the values', () => {
  it.each<[string, Column]>([
    ['of a column that is not sent', columnOf('Notes', undefined)],
    ['of a text', column('custom_Notes')],
    ['of the name', column('name')],
    ['of a field that is not declared', column('plan')],
    ['of JSON', column('custom_Renewal', { isJson: true, isNew: true })],
  ])('%s', (_what, unwatched) => {
    const scan = new FileScan(KNOWN, columnOptions(), undefined);
    expect(scan.collector(unwatched)).toBeUndefined();
  });
});

it('a file of rejected rows may lack the values that have decided how a decimal is read', () => {
  const ambiguities = (isExcerpt: boolean) => {
    const scan = new FileScan(KNOWN, columnOptions(), undefined, isExcerpt);
    scan.collector(column('custom_Price'))?.add('1.250', 2);
    return scan.result().problems;
  };
  expect(ambiguities(false)).toEqual([]);
  expect(ambiguities(true)).toEqual([
    'Column "custom_Price" can be read in two ways: "1.250" is 1.25 (as-is) or 1250 (1.000,00). No other value of the column decides it. Add --convert "custom_Price=as-is" or --convert "custom_Price=1.000,00"',
  ]);
});

describe('a scan finds out', () => {
  it('how the values of each attribute are written, in the order of the columns', () => {
    const columns = [
      [column('custom_Renewal'), ['1/31/2027', '2027-01-31']],
      [column('custom_Tier'), [' gold']],
      [column('licenses'), ['12']],
    ] as const;
    expect(scanned(columns)).toMatchObject({
      readings: [
        ['custom_Renewal', ['mdy']],
        ['custom_Tier', ['trim']],
      ],
      problems: [],
    });
  });

  it('all problems', () => {
    const columns = [
      [column('custom_Renewal'), ['3/4/2027']],
      [column('licenses'), ['1.000']],
    ] as const;
    expect(scanned(columns)).toMatchObject({
      readings: [],
      problems: [
        expect.stringContaining('Column "custom_Renewal" can be read in two ways'),
        expect.stringContaining('Column "licenses" can be read in two ways'),
      ],
    });
    expect(scanned(columns, { dates: 'dmy' })).toMatchObject({
      readings: [['custom_Renewal', ['dmy']]],
      problems: [expect.stringContaining('Column "licenses" can be read in two ways')],
    });
  });

  it('the types of new attributes, unless --type gives them', () => {
    const isNew = { isNew: true };
    const columns = [
      [column('custom_A', isNew), ['1', '2']],
      [column('custom_B', isNew), ['1', '2']],
      [column('custom_C', isNew), ['1', '2']],
      [column('custom_D', isNew), ['Yes']],
      [column('custom_E', isNew), []],
      [column('custom_F', isNew), []],
    ] as const;
    const types = { custom_B: 'decimal', custom_C: 'choice', custom_E: 'text' } as const;
    expect(scanned(columns, { types })).toMatchObject({
      readings: [
        ['custom_A', [], 'integer'],
        ['custom_B', [], 'decimal'],
        ['custom_C', [], 'choice'],
        ['custom_D', ['yes-no'], 'boolean'],
        ['custom_E', [], 'text'],
        ['custom_F', []],
      ],
      problems: [],
    });
  });

  it('which ids come twice, but not which parents do', () => {
    const columns = [
      [column('account_id'), ['a', 'b', 'a']],
      [column('parent_account_id'), ['a', 'a', 'b']],
    ] as const;
    const { ids } = scanned(columns);
    expect(ids.same).toEqual({ count: 1, examples: [{ id: 'a', line: 4, firstLine: 2 }] });
  });
});

describe('the ids of Salesforce', () => {
  const SHORT = '001A000000aBcDe';
  const columns = [
    [column('account_id'), [SHORT, SHORT.toLowerCase()]],
    [column('parent_account_id'), [SHORT]],
  ] as const;
  const sent = [
    ['account_id', ['salesforce']],
    ['parent_account_id', ['salesforce']],
  ];

  it('are sent in their form without case', () => {
    const { readings, ids } = scanned(columns, { preset: SALESFORCE });
    expect([readings, ids.otherSpelling.count]).toEqual([sent, 0]);
  });

  it('also if single ones are replaced', () => {
    const conversions = { account_id: chosen([], { other: 'acme' }) };
    const { readings, ids } = scanned(columns, { preset: SALESFORCE, conversions });
    expect([readings, ids.otherSpelling.count]).toEqual([sent, 0]);
  });

  it('but not with --convert account_id=as-is, or in files of other systems', () => {
    const conversions = { account_id: chosen(['as-is']) };
    const { readings, ids } = scanned(columns, { preset: SALESFORCE, conversions });
    expect([readings, ids.otherSpelling.count]).toEqual([
      [
        ['account_id', []],
        ['parent_account_id', ['salesforce']],
      ],
      1,
    ]);
    expect(scanned(columns).readings).toEqual([]);
  });
});

it('a JSON file in which every record has other names takes bounded memory', () => {
  const scan = new FileScan(KNOWN, columnOptions({ isDeclaring: true }), undefined);
  const collectors = Array.from({ length: 10_100 }, (_, number) =>
    scan.collector(column(`custom_${number}`, { isNew: true })),
  );
  expect(collectors.filter((collector) => collector !== undefined)).toHaveLength(10_000);
});
