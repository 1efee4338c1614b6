import type { Attributes } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { attribute, columnOptions } from '../../../test/support/import-parts.js';
import { ColumnPlan } from './column-plan.js';
import { KnownFields } from './known-fields.js';

const SCHEMA: Attributes = {
  data: [
    attribute('licenses', 'integer'),
    attribute('custom_Is_Valid', 'boolean'),
    attribute('custom_Tier', 'choice', { choices: ['gold', 'silver'] }),
    attribute('custom_Score', 'decimal', { read_only: true }),
    attribute('custom_Region', 'text'),
    attribute('custom_region', 'text'),
  ],
  undeclared: [
    { name: 'plan', accounts: 3, guess: 'text' },
    { name: 'constructor', accounts: 1, guess: 'text' },
  ],
};

interface Given extends NonNullable<Parameters<typeof columnOptions>[0]> {
  readonly schema?: Attributes | undefined;
  readonly isCsv?: boolean;
}

function planned(names: readonly string[], given: Given = {}) {
  const { schema = 'schema' in given ? undefined : SCHEMA, isCsv = true, ...options } = given;
  const plan = new ColumnPlan(new KnownFields(schema), columnOptions(options), isCsv);
  const columns = plan.addAll(names);
  const fields = columns.map(({ field }) => field);
  return { columns, fields, problems: plan.problems(), hints: plan.hints() };
}

describe('a column becomes a field', () => {
  it.each([
    ['account_id', 'account_id'],
    ['Account ID', 'account_id'],
    ['AccountId', 'account_id'],
    ['ID', 'account_id'],
    ['account-id', 'account_id'],
    ['Parent Account ID', 'parent_account_id'],
    ['ParentId', 'parent_account_id'],
    ['Account Name', 'name'],
    ['NAME', 'name'],
    ['Licenses', 'licenses'],
    ['Is Valid?', 'custom_Is_Valid'],
    ['custom_tier', 'custom_Tier'],
    ['Tier', 'custom_Tier'],
    ['custom_Region', 'custom_Region'],
    ['plan', 'plan'],
    ['constructor', 'constructor'],
  ])('%s is %s', (name, field) => {
    const others = ['account_id'].filter((other) => other !== field);
    expect(planned([name, ...others])).toMatchObject({ fields: [field, ...others], problems: [] });
  });

  it('that --map names, even if its name matches another', () => {
    const { fields, problems } = planned(['name', 'licenses', 'CRM = Key'], {
      map: { 'CRM = Key': 'account_id', licenses: 'custom_Seats' },
    });
    expect({ fields, problems }).toEqual({ fields: ['name', 'custom_Seats', 'account_id'], problems: [] });
  });

  it('but not by its spelling if that has no letters or digits', () => {
    const schema = { ...SCHEMA, undeclared: [{ name: '🔥', accounts: 1, guess: 'text' as const }] };
    expect(planned(['account_id', '❤', '', '🔥'], { schema, map: { '*': '*' } })).toMatchObject({
      fields: ['account_id', '❤', undefined, '🔥'],
      problems: [],
    });
  });

  it('of its own name with --map *', () => {
    const { fields, problems } = planned(['Account ID', 'Colour', 'depth:json'], { map: { '*': '*' } });
    expect({ fields, problems }).toEqual({ fields: ['account_id', 'Colour', 'depth'], problems: [] });
  });

  it('unless it is ignored or has no name', () => {
    const { columns, fields, problems } = planned(['account_id', 'name', '', ' ', 'Notes'], {
      ignore: ['name', '*'],
    });
    const unsent = undefined;
    expect({ fields, problems }).toEqual({
      fields: ['account_id', unsent, unsent, unsent, unsent],
      problems: [],
    });
    expect(columns.map(({ reason }) => reason)).toEqual(['', '--ignore', 'no name', 'no name', '--ignore']);
  });

  it('by its exact name before another spelling, in any order', () => {
    expect(planned(['Account ID', 'account_id'])).toMatchObject({
      fields: [undefined, 'account_id'],
      problems: [
        'Column "Account ID" maps to account_id, as does "account_id". Add --map "Account ID=custom_Account_ID" to send it, or --ignore "Account ID"',
      ],
    });
  });
});

describe('a problem is reported for', () => {
  it.each<[string, readonly string[], Given, string]>([
    [
      'an unknown column',
      ['account_id', 'Annual "Value" ($)'],
      {},
      'Column "Annual \\"Value\\" (\\$)" is unknown. Add --map "Annual \\"Value\\" (\\$)=custom_Annual_Value" to send it, or --ignore "Annual \\"Value\\" (\\$)"',
    ],
    [
      'an unknown column whose name has terminal control characters',
      ['account_id', 'Red\u001b[31m\nline'],
      {},
      'Column "Red\\u001b[31m\nline" is unknown. Add --map "Red\\u001b[31m\nline=custom_Red_31m_line" to send it, or --ignore "Red\\u001b[31m\nline"',
    ],
    [
      'two fields with the same spelling',
      ['account_id', 'REGION'],
      {},
      'Column "REGION" is unknown. Add --map "REGION=custom_REGION" to send it, or --ignore "REGION"',
    ],
    [
      'a field that the server sets',
      ['account_id', 'updated_at'],
      { map: { '*': '*' } },
      'updated_at is read-only. Add --ignore "updated_at"',
    ],
    ['a read-only attribute', ['account_id', 'Score'], {}, 'custom_Score is read-only. Add --ignore "Score"'],
    [
      'the name __proto__',
      ['account_id', '__proto__'],
      { map: { '*': '*' } },
      'No field can be named __proto__. Add --ignore "__proto__"',
    ],
    [
      'two columns with the same name',
      ['account_id', 'name', 'name'],
      {},
      'Several columns are named "name". Rename them, or add --ignore "name"',
    ],
    [
      'a column of --map that does not exist',
      ['account_id'],
      { map: { Seats: 'licenses' } },
      'The file has no column "Seats", which --map names. Check the name.',
    ],
    [
      'a missing account_id',
      ['name'],
      {},
      'No column is mapped to account_id. Name one with: --map "column=account_id"',
    ],
    [
      'an undeclared field without a schema',
      ['account_id', 'Tier'],
      { schema: undefined },
      'Column "Tier" is unknown. Add --map "Tier=custom_Tier" to send it, or --ignore "Tier"',
    ],
    [
      'an unknown name in a JSON record',
      ['account_id', 'colour:json'],
      { isCsv: false },
      'Field "colour:json" is unknown. Add --map "colour:json=custom_colour_json" to send it, or --ignore "colour:json"',
    ],
  ])('%s', (_what, names, given, problem) => {
    expect(planned(names, given).problems).toEqual([problem]);
  });
});

describe('hints', () => {
  it('list the writable fields that no column is mapped to, if a column is unknown', () => {
    expect(planned(['account_id', 'Tier', 'Seats']).hints).toEqual([
      'Fields not mapped yet: parent_account_id, name, licenses, custom_Is_Valid, custom_Region, custom_region, plan, constructor',
    ]);
  });

  it('say how to leave out or declare several unknown columns', () => {
    expect(planned(['account_id', 'Seats', 'Owner', 'name'], { schema: undefined }).hints).toEqual([
      "To leave out all 2 unknown columns, add --ignore '*'. To propose attributes for them, add --declare",
      'Fields not mapped yet: parent_account_id, licenses, custom_Is_Valid, custom_External_Created_On, custom_External_Created_At',
    ]);
  });

  it('list the free fields if there is no account_id', () => {
    expect(planned(['Tier'], { schema: { data: [], undeclared: [] } }).hints).toEqual([
      'Fields not mapped yet: account_id, parent_account_id, name',
    ]);
  });

  it('are not given if all columns are mapped', () => {
    expect(planned(['account_id', 'Tier', '']).hints).toEqual([]);
  });
});

it('shows the types that the server expects', () => {
  const { columns } = planned(['account_id', 'Tier', 'licenses', 'plan', 'x:json'], {
    map: { 'x:json': 'custom_x' },
  });
  expect(columns.map(({ field, type, reason, isJson }) => [field, type, reason, isJson])).toEqual([
    ['account_id', 'id', '', false],
    ['custom_Tier', 'choice: gold, silver', 'by its name', false],
    ['licenses', 'integer', '', false],
    ['plan', 'any: not declared', '', false],
    ['custom_x', 'any: not declared', '--map', true],
  ]);
});
