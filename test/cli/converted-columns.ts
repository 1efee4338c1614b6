import type { Declaration } from './import-caller.js';

export const DECLARED: readonly Declaration[] = [
  { name: 'custom_Tier', type: 'choice', choices: ['gold', 'silver', 'Very good'] },
  { name: 'custom_Renewal', type: 'date' },
  { name: 'custom_Seen', type: 'datetime' },
  { name: 'custom_Revenue', type: 'decimal' },
  { name: 'custom_Active', type: 'boolean' },
  { name: 'custom_Note', type: 'text' },
];

export interface Column {
  readonly what: string;
  readonly field: string;
  /** Each with the expected stored value. */
  readonly cells: readonly (readonly [cell: string, stored: unknown])[];
  /** What the plan shows of them; nothing if they are sent as they are. */
  readonly plan: string;
}

/** A column of every kind that people write, whole. */
export const COLUMNS: readonly Column[] = [
  {
    what: 'yes and no as booleans',
    field: 'custom_Active',
    cells: [
      ['Yes', true],
      ['No', false],
      ['y', true],
      ['OFF', false],
      ['t', true],
      ['true', true],
      ['0', false],
    ],
    plan: `CONVERTED  VALUES  HOW     FOR EXAMPLE
Value      5       yes/no  Yes → true, No → false, y → true`,
  },
  {
    what: 'commas and blanks between thousands',
    field: 'licenses',
    cells: [
      ['1,000', 1000],
      ['12', 12],
      ['1,234,567', 1_234_567],
      ['1 000', 1000],
    ],
    plan: `CONVERTED  VALUES  HOW                       FOR EXAMPLE
Value      2       commas between thousands  1,000 → 1000, 1,234,567 → 1234567
Value      1       blanks between thousands  1 000 → 1000`,
  },
  {
    what: 'points between thousands, which another value shows',
    field: 'licenses',
    cells: [
      ['1.000', 1000],
      ['1.234.567', 1_234_567],
    ],
    plan: `CONVERTED  VALUES  HOW            FOR EXAMPLE
Value      2       decimal comma  1.000 → 1000, 1.234.567 → 1234567`,
  },
  {
    what: 'decimal commas, a currency and parentheses',
    field: 'custom_Revenue',
    cells: [
      ['1.000,50', 1000.5],
      ['12,5 €', 12.5],
      ['(500)', -500],
      ['-€7', -7],
      ['.5', 0.5],
    ],
    plan: `CONVERTED  VALUES  HOW                       FOR EXAMPLE
Value      2       commas between thousands  (500) → -500, -€7 → -7
Value      2       decimal comma             1.000,50 → 1000.5, 12,5 € → 12.5`,
  },
  {
    what: 'decimal points as they are, also with three digits after them',
    field: 'custom_Revenue',
    cells: [
      ['1.250', 1.25],
      ['0.5', 0.5],
      ['1e3', 1000],
    ],
    plan: '',
  },
  {
    what: 'offsets of other forms',
    field: 'custom_Seen',
    cells: [
      ['2015-01-31T15:45:12.000+0000', '2015-01-31T15:45:12.000Z'],
      ['2015-01-31 15:45 UTC', '2015-01-31T15:45:00.000Z'],
      ['2015-01-31T15:45:12 -0830', '2015-02-01T00:15:12.000Z'],
      ['2015-01-31T15:45:12+01:00', '2015-01-31T14:45:12.000Z'],
    ],
    plan: `CONVERTED  VALUES  HOW                              FOR EXAMPLE
Value      3       with another form of the offset  2015-01-31T15:45:12.000+0000 → 2015-01-31T15:45:12.000Z`,
  },
  {
    what: 'month/day/year, which one value shows for all',
    field: 'custom_Renewal',
    cells: [
      ['3/4/2015', '2015-03-04'],
      ['1/31/2015', '2015-01-31'],
      ['12/11/2015 00:00', '2015-12-11'],
      ['2015-05-01', '2015-05-01'],
    ],
    plan: `CONVERTED  VALUES  HOW             FOR EXAMPLE
Value      3       month/day/year  3/4/2015 → 2015-03-04, 1/31/2015 → 2015-01-31`,
  },
  {
    what: 'day/month/year with times, which one value shows for all',
    field: 'custom_Seen',
    cells: [
      ['03/04/2015 10:00', '2015-04-03T10:00:00.000Z'],
      ['31/01/2015 3:45 PM', '2015-01-31T15:45:00.000Z'],
      ['1/2/2015', '2015-02-01T00:00:00.000Z'],
    ],
    plan: `CONVERTED  VALUES  HOW             FOR EXAMPLE
Value      3       day/month/year  03/04/2015 10:00 → 2015-04-03T10:00:00.000Z`,
  },
  {
    what: 'days with points, without separators, and with names of months',
    field: 'custom_Renewal',
    cells: [
      ['31.01.2015', '2015-01-31'],
      ['20150131', '2015-01-31'],
      ['31-Jan-2015', '2015-01-31'],
      ['Mar 4, 2015', '2015-03-04'],
      [' 2015-05-01 ', '2015-05-01'],
    ],
    plan: `CONVERTED  VALUES  HOW                         FOR EXAMPLE
Value      1       without blanks around it    " 2015-05-01 " → 2015-05-01
Value      1       day/month/year              31.01.2015 → 2015-01-31
Value      1       year/month/day              20150131 → 2015-01-31
Value      1       with the name of the month  31-Jan-2015 → 2015-01-31
Value      1       with the name of the month  Mar 4, 2015 → 2015-03-04`,
  },
  {
    what: 'days of Excel',
    field: 'custom_Renewal',
    cells: [
      ['42035', '2015-01-31'],
      ['42064', '2015-03-01'],
    ],
    plan: `CONVERTED  VALUES  HOW                        FOR EXAMPLE
Value      2       days as Excel counts them  42035 → 2015-01-31, 42064 → 2015-03-01`,
  },
  {
    what: 'times of Excel, and seconds and milliseconds since 1970',
    field: 'custom_Seen',
    cells: [
      ['42035.5', '2015-01-31T12:00:00.000Z'],
      ['1422719112', '2015-01-31T15:45:12.000Z'],
      ['1422719112345', '2015-01-31T15:45:12.345Z'],
    ],
    plan: `CONVERTED  VALUES  HOW                                          FOR EXAMPLE
Value      1       days as Excel counts them                    42035.5 → 2015-01-31T12:00:00.000Z
Value      2       time since 1970, in seconds or milliseconds  1422719112 → 2015-01-31T15:45:12.000Z`,
  },
  {
    what: 'choices with blanks around them, and in other case',
    field: 'custom_Tier',
    cells: [
      ['Gold', 'gold'],
      ['gold', 'gold'],
      [' silver ', 'silver'],
      ['VERY GOOD', 'Very good'],
      ['SILVER ', 'silver'],
    ],
    plan: `CONVERTED  VALUES  HOW                       FOR EXAMPLE
Value      1       without blanks around it  " silver " → silver
Value      3       case ignored              Gold → gold, VERY GOOD → Very good, "SILVER " → silver`,
  },
  {
    what: 'cells of blanks as empty ones',
    field: 'custom_Renewal',
    cells: [
      ['  ', undefined],
      ['2015-05-01', '2015-05-01'],
    ],
    plan: '',
  },
  {
    what: 'texts as they are, whatever they look like',
    field: 'custom_Note',
    cells: [
      ['Yes', 'Yes'],
      [' 1,000 ', ' 1,000 '],
      ['1/31/2015', '1/31/2015'],
      ['0042', '0042'],
      ['  ', '  '],
    ],
    plan: '',
  },
];
