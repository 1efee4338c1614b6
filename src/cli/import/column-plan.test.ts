import type { Attribute, Attributes } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { ColumnPlan } from './column-plan.js';
import { KnownFields } from './known-fields.js';

const attribute = (name: string, type: Attribute['type'], other: Partial<Attribute> = {}): Attribute => ({
  name,
  type,
  choices: [],
  read_only: false,
  built_in: false,
  owner: null,
  index: 'none',
  index_progress: null,
  accounts: 0,
  ...other,
});

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

interface Given {
  readonly map?: Record<string, string>;
  readonly ignore?: readonly string[];
  readonly schema?: Attributes | undefined;
  readonly isCsv?: boolean;
}

function planned(names: readonly string[], given: Given = {}) {
  const { map = {}, ignore = [], isCsv = true } = given;
  const known = new KnownFields('schema' in given ? given.schema : SCHEMA);
  const plan = new ColumnPlan(known, { map: new Map(Object.entries(map)), ignore: new Set(ignore) }, isCsv);
  const columns = plan.addAll(names);
  return { columns, fields: columns.map(({ field }) => field), problems: plan.problems() };
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

  it('unless it is ignored, has no name, or contains a rejection reason', () => {
    const names = ['rejected_line', 'rejected_id', 'rejected_because', 'account_id', 'name', '', 'Notes'];
    const { fields, problems } = planned(names, { ignore: ['name', '*'] });
    const unsent = undefined;
    expect({ fields, problems }).toEqual({
      fields: [unsent, unsent, unsent, 'account_id', unsent, unsent, unsent],
      problems: [],
    });
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

it('lists the writable fields that no column is mapped to', () => {
  const plan = new ColumnPlan(new KnownFields(SCHEMA), { map: new Map(), ignore: new Set() }, true);
  plan.addAll(['account_id', 'Tier', 'Seats']);
  expect(plan.freeFields()).toEqual([
    'parent_account_id',
    'name',
    'licenses',
    'custom_Is_Valid',
    'custom_Region',
    'custom_region',
    'plan',
    'constructor',
  ]);
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
