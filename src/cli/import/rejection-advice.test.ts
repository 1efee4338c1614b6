import { describe, expect, it } from 'vitest';
import { attribute, columnOf } from '../../../test/support/import-parts.js';
import type { ImportRows } from './import-rows.js';
import { KnownFields } from './known-fields.js';
import { adviceFor, NO_ADVICE } from './rejection-advice.js';
import type { RejectionReason } from './rejection-reasons.js';

const CHOICES = Array.from({ length: 12 }, (_, number) => `c${number}`);
const known = new KnownFields({
  data: [
    attribute('licenses', 'integer'),
    attribute('custom_Amount', 'decimal'),
    attribute('custom_Active', 'boolean'),
    attribute('custom_Renewal', 'date'),
    attribute('custom_At', 'datetime'),
    attribute('custom_Notes', 'text'),
    attribute('custom_Tier', 'choice', { choices: ['gold', 'silver'] }),
    attribute('custom_Plan', 'choice', { choices: CHOICES }),
  ],
  undeclared: [],
});
const FIELDS = [...known.writable, 'custom_New', 'custom_Score'];
/** Each field has a column of its name in upper case. */
const columns = [
  columnOf('Left out', undefined),
  ...FIELDS.map((field) => columnOf(field.toUpperCase(), field)),
];
const rows: ImportRows = {
  header: [],
  isOfRejectedRows: false,
  columns,
  async *scan() {},
  async *batches() {},
  original: () => undefined,
};

function advice(field: string | null, message: string, values: readonly string[] = []) {
  const samples = values.map((value, at) => ({ line: at + 2, account_id: null, value }));
  const reason: RejectionReason = { message, count: 1, line: 2, account_id: null, field, samples };
  return adviceFor(reason, { rows, known, conversions: new Map() });
}

const invalid = (field: string, type: string, ...values: string[]) =>
  advice(field, `Account …, ${field} has invalid ${type} value.`, values);

describe('advice on an invalid value', () => {
  it.each<[field: string, type: string, values: string[], accepted: string, add: string]>([
    [
      'licenses',
      'integer',
      ['12 seats', 'many'],
      'a whole number: 12, -3, 1,000',
      '--convert "licenses=12 seats:…" with the value to send instead, or --ignore "LICENSES" to leave the column out',
    ],
    [
      'custom_Amount',
      'decimal',
      [' "5"\\$ '],
      'a number: 12.5, -3, 1,000.50',
      '--convert "custom_Amount=\\"5\\"\\\\\\$:…" with the value to send instead, or --ignore "CUSTOM_AMOUNT" to leave the column out',
    ],
    [
      'custom_Active',
      'boolean',
      ['perhaps'],
      'true or false, 1 or 0, yes or no',
      '--convert "custom_Active=perhaps:…" with the value to send instead, or --ignore "CUSTOM_ACTIVE" to leave the column out',
    ],
    [
      'custom_Renewal',
      'date',
      ['2015-01-31T10:20:30Z', '2015-02-28 23:00'],
      'a day: 2015-01-31, 1/31/2015, 31.01.2015, 31 Jan 2015',
      '--convert "custom_Renewal=day" (the day of a time, as written), or --ignore "CUSTOM_RENEWAL" to leave the column out',
    ],
    [
      'custom_Renewal',
      'date',
      ['2015-01-31T10:20:30Z', 'soon'],
      'a day: 2015-01-31, 1/31/2015, 31.01.2015, 31 Jan 2015',
      '--convert "custom_Renewal=2015-01-31T10:20:30Z:…" with the value to send instead, or --ignore "CUSTOM_RENEWAL" to leave the column out',
    ],
    [
      'custom_At',
      'datetime',
      [],
      'a time: 2015-01-31T15:45:00Z, 2015-01-31 15:45, 1/31/2015 3:45 PM',
      '--ignore "CUSTOM_AT" to leave the column out',
    ],
    [
      'custom_Notes',
      'text',
      ['5'],
      'a text of at most 65,535 characters',
      '--convert "custom_Notes=5:…" with the value to send instead, or --ignore "CUSTOM_NOTES" to leave the column out',
    ],
    [
      'custom_Tier',
      'choice',
      ['Platinum'],
      'one of gold, silver',
      '--convert "custom_Tier=Platinum:…" with the value to send instead, or --ignore "CUSTOM_TIER" to leave the column out',
    ],
    [
      'custom_Plan',
      'choice',
      ['Gold'],
      'one of c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 and 2 more',
      '--convert "custom_Plan=Gold:…" with the value to send instead, or --ignore "CUSTOM_PLAN" to leave the column out',
    ],
  ])('of %s (%s) %j', (field, type, values, accepted, add) => {
    expect(invalid(field, type, ...values)).toEqual({ accepted, add });
  });

  it('is none if the type has changed meanwhile, or for ids, or for fields without a column', () => {
    expect([
      invalid('licenses', 'decimal', '5'),
      invalid('account_id', 'id', '5'),
      invalid('custom_New', 'text', '5'),
      invalid('custom_Other', 'text', '5'),
      advice(null, 'The record is not valid JSON.'),
      advice('name', 'The name must be a string.'),
    ]).toEqual(Array(6).fill(NO_ADVICE));
  });
});

it('advice on a field that cannot be sent is to leave it out', () => {
  expect(advice('custom_Score', 'Account …, custom_Score is read-only.')).toEqual({
    accepted: null,
    add: '--ignore "CUSTOM_SCORE" to leave the column out',
  });
});

it('advice on an unknown field is to declare it', () => {
  const add =
    '--declare to declare custom_New with a key of the scope admin, or --ignore "CUSTOM_NEW" to leave the column out';
  for (const suggestion of ['', ' Did you mean custom_Notes?']) {
    const message = `Account …, custom_New is not a known field.${suggestion}`;
    expect(advice('custom_New', message)).toEqual({ accepted: null, add });
  }
});
