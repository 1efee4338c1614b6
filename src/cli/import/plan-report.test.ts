import { describe, expect, it } from 'vitest';
import { columnOf } from '../../../test/support/import-parts.js';
import type { AttributeType } from '../../domain/attribute-types.js';
import { Conversion } from './conversion/conversion.js';
import { readingsOfType } from './conversion/readings-of-type.js';
import type { Conversions } from './file-scan.js';
import type { ImportFile } from './open-import-file.js';
import { columnsText, valuesText } from './plan-report.js';
import { HUBSPOT } from './presets/hubspot.js';
import { RepeatedIds } from './repeated-ids.js';
import type { ColumnConversion } from './value-collectors.js';

const FILE: ImportFile = {
  name: 'accounts.csv',
  isPipe: false,
  format: 'csv',
  delimiter: ';',
  lineEnd: '\n',
  hasMark: false,
  size: 10,
  bytesRead: 0,
  firstLine: 1,
  async *text() {
    yield '';
  },
  close: () => Promise.resolve(),
};

describe('the columns are shown', () => {
  const columns = [
    columnOf('Account ID', 'account_id', { type: 'id', reason: 'by its name' }),
    columnOf('Seats\u001b[31m', 'licenses', { type: 'integer', reason: '--map' }),
    columnOf('Renewal', 'custom_Renewal', { isNew: true, reason: '--declare' }),
    columnOf('', undefined, { type: '', reason: 'no name' }),
    columnOf('Owner', undefined, { type: '', problem: 'Column "Owner" is unknown.' }),
  ];

  it('with their fields and types, and what an empty cell does', () => {
    const plan = { emptyCells: 'clear', preset: undefined } as const;
    expect(columnsText(FILE, columns, plan)).toBe(`\
accounts.csv: CSV, separated by semicolons. An empty cell clears the stored value (--empty keep keeps it).

COLUMN           FIELD           TYPE
Account ID       account_id      id       by its name
Seats\\u001b[31m  licenses        integer  --map
Renewal          custom_Renewal  new      --declare
(no name)        – not sent               no name
Owner            ?
`);
  });

  it('with the system that has written the file, and how many are not sent', () => {
    const plan = { emptyCells: 'keep', preset: HUBSPOT } as const;
    const reason = 'HubSpot: custom_Industry';
    const left = columnOf('Industry', undefined, { type: '', reason, isUndeclared: true });
    expect(columnsText({ ...FILE, delimiter: '\t' }, [left], plan)).toBe(`\
accounts.csv: CSV, separated by tabs. An empty cell keeps the stored value (--empty clear clears it).
Columns are mapped as in exports of HubSpot; --from none does not do that.

COLUMN    FIELD       TYPE
Industry  – not sent        HubSpot: custom_Industry

1 column is not sent, because its attribute is not declared. --declare proposes types for them and declares them.
`);
    expect(columnsText(FILE, [left, left], plan).split('\n').at(-2)).toBe(
      '2 columns are not sent, because their attributes are not declared. --declare proposes types for them and declares them.',
    );
  });

  it.each([
    ['json', ',', 'a JSON array.', 'FIELD IN FILE'],
    ['ndjson', ',', 'JSON, one record per line.', 'FIELD IN FILE'],
    [
      'csv',
      '^',
      'CSV, separated by ^. An empty cell keeps the stored value (--empty clear clears it).',
      'COLUMN',
    ],
  ] as const)('of %s with %j', (format, delimiter, form, head) => {
    const text = columnsText({ ...FILE, format, delimiter }, [], { emptyCells: 'keep', preset: undefined });
    expect(text).toBe(`accounts.csv: ${form}\n\n${head}  FIELD  TYPE\n`);
  });
});

/** A column whose values are converted by one reading, with these samples. */
function converted(
  name: string,
  attribute: AttributeType,
  [reading, count, samples]: [reading: string, count: number, samples: [string, string | number | boolean][]],
): ColumnConversion {
  const uses = readingsOfType(attribute)
    .filter((each) => each.name === reading)
    .map((each) => ({ reading: each, count, samples: samples.map(([from, to]) => ({ from, to })) }));
  return { column: columnOf(name, 'x'), conversion: new Conversion(attribute, []), uses };
}

const attributeOf = (type: AttributeType['type'], choices: readonly string[] = []) => ({ type, choices });

describe('what is known of all values is shown', () => {
  it('not at all if that is nothing', () => {
    expect(valuesText(new Map(), new RepeatedIds())).toBe('');
  });

  it('with conversions and as many examples as fit', () => {
    const conversions: Conversions = new Map([
      ['licenses', converted('Licences', attributeOf('integer'), ['1,000.00', 12_345, [['1,200', 1200]]])],
      [
        'custom_Tier',
        converted('Tier', attributeOf('choice'), [
          'ignore-case',
          2,
          [
            ['Gold', 'gold'],
            ['Silver ', 'silver'],
          ],
        ]),
      ],
      [
        'custom_At',
        converted('At', attributeOf('datetime'), [
          'mdy',
          3,
          [
            ['1/31/2027 3:45 PM', '2027-01-31T15:45:00.000Z'],
            ['2/12/2027 3:45 PM', '2027-02-12T15:45:00.000Z'],
          ],
        ]),
      ],
      [
        'custom_Long',
        converted('Long\u202e', attributeOf('choice'), ['trim', 1, [[` ${'x'.repeat(60)}`, 'x'.repeat(60)]]]),
      ],
    ]);
    expect(valuesText(conversions, new RepeatedIds())).toBe(`\
CONVERTED   VALUES  HOW                       FOR EXAMPLE
Licences    12,345  commas between thousands  1,200 → 1200
Tier        2       case ignored              Gold → gold, "Silver " → silver
At          3       month/day/year            1/31/2027 3:45 PM → 2027-01-31T15:45:00.000Z
Long\\u202e  1       without blanks around it  " ${'x'.repeat(37)}… → ${'x'.repeat(39)}…`);
  });

  it('with new attributes and repeated ids', () => {
    const ids = new RepeatedIds();
    for (const [at, id] of ['acme', 'ACME', 'acme', 'b', 'B ', 'b', 'acme', 'acme'].entries()) {
      ids.add(id, at + 1_000);
    }
    const choices = [...'abcdefghij'];
    const proposed = (name: string, proposal: AttributeType): ColumnConversion => ({
      column: columnOf(name, 'x'),
      conversion: new Conversion(proposal, []),
      uses: [],
      proposal,
    });
    const withoutType = (name: string): ColumnConversion => ({
      column: columnOf(name, 'x', { isNew: true }),
      conversion: new Conversion(undefined, []),
      uses: [],
    });
    const conversions: Conversions = new Map([
      ['custom_Renewal', proposed('Renewal', attributeOf('date'))],
      ['custom_Tier', proposed('Tier', attributeOf('choice', choices))],
      ['custom_Plan', proposed('Plan', attributeOf('choice', choices.slice(0, 2)))],
      ['custom_Code', withoutType('Code')],
      ['custom_Fax', { ...withoutType('Fax'), isUnsent: true }],
    ]);
    expect(valuesText(conversions, ids)).toBe(`\
NEW ATTRIBUTE   TYPE                                       FROM
custom_Renewal  date                                       Renewal
custom_Tier     choice: a, b, c, d, e, f, g, h and 2 more  Tier
custom_Plan     choice: a, b                               Plan

Sent, but not declared, because no type fits all their values: Code

Not sent and not declared, because they have no values: Fax

4 rows have an id that an earlier row has; the later row wins: acme in line 1,002, as in line 1,000; b in line 1,005, as in line 1,003; acme in line 1,006, as in line 1,000.
2 rows have an id that differs from that of an earlier row only by case or Unicode form, which is the same account: ACME in line 1,001, as in line 1,000; B in line 1,004, as in line 1,003.`);
  });

  it('with a single repeated id', () => {
    const ids = new RepeatedIds();
    for (const [at, id] of ['a b', 'a b'].entries()) ids.add(id, at + 2);
    expect(valuesText(new Map(), ids)).toBe(
      '1 row has an id that an earlier row has; the later row wins: a b in line 3, as in line 2.',
    );
  });

  it('with a hint if the file has too many ids', () => {
    const ids = Object.defineProperty(new RepeatedIds(), 'isFull', { value: true });
    expect(valuesText(new Map(), ids)).toBe(
      'The file has more ids than can be compared; repeated ones further down are not counted.',
    );
  });
});
