import type { Attributes } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { attribute, chosen, columnOptions } from '../../../test/support/import-parts.js';
import { type Column, ColumnPlan } from './column-plan.js';
import { KnownFields } from './known-fields.js';

const SCHEMA: Attributes = {
  data: [
    attribute('licenses', 'integer'),
    attribute('custom_Industry', 'text'),
    attribute('custom_Seats', 'integer'),
  ],
  undeclared: [],
};

function planned(
  names: readonly string[],
  given: Parameters<typeof columnOptions>[0] = {},
  isCsv = true,
): {
  readonly plan: ColumnPlan;
  readonly columns: readonly Column[];
  readonly shown: readonly (readonly [string | undefined, string])[];
} {
  const plan = new ColumnPlan(new KnownFields(SCHEMA), columnOptions(given), isCsv);
  const columns = plan.addAll(names);
  return { plan, columns, shown: columns.map(({ field, reason, problem }) => [field, problem ?? reason]) };
}

describe('columns of a known system', () => {
  const HUBSPOT = [
    'Record ID',
    'Company name',
    'Company Domain Name',
    'Industry',
    'Last Modified Date',
    'Seats',
  ];

  it('are sent if the server knows their fields, and are left out otherwise', () => {
    const { plan, columns, shown } = planned(HUBSPOT);
    expect([plan.preset?.name, plan.problems(), plan.hints()]).toEqual(['hubspot', [], []]);
    expect(shown).toEqual([
      ['account_id', 'HubSpot'],
      ['name', 'HubSpot'],
      [undefined, 'HubSpot: custom_Domain'],
      ['custom_Industry', 'HubSpot'],
      [undefined, 'HubSpot'],
      ['custom_Seats', 'by its name'],
    ]);
    expect(columns.map(({ isUndeclared }) => isUndeclared)).toEqual([
      undefined,
      undefined,
      true,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are new attributes with --declare, but not those about the system itself', () => {
    const { columns } = planned([...HUBSPOT, 'Tier!'], { isDeclaring: true });
    expect(columns.map(({ field, isNew }) => [field, isNew ?? false])).toEqual([
      ['account_id', false],
      ['name', false],
      ['custom_Domain', true],
      ['custom_Industry', false],
      [undefined, false],
      ['custom_Seats', false],
      ['custom_Tier', true],
    ]);
  });

  it('are overridden by --ignore and --map', () => {
    const map = { 'Company Domain Name': 'account_id', 'Record ID': 'custom_Seats' };
    const { shown, plan } = planned(HUBSPOT.slice(0, 4), { map, ignore: ['Industry'] });
    expect([shown, plan.problems()]).toEqual([
      [
        ['custom_Seats', '--map'],
        ['name', 'HubSpot'],
        ['account_id', '--map'],
        [undefined, '--ignore'],
      ],
      [],
    ]);
  });

  it('are columns like others with --from none', () => {
    const { shown, plan } = planned(HUBSPOT, { from: 'none', ignore: ['*'] });
    expect([plan.preset, shown]).toEqual([
      undefined,
      [
        ['account_id', 'by its name'],
        ['name', 'by its name'],
        [undefined, '--ignore'],
        ['custom_Industry', 'by its name'],
        [undefined, '--ignore'],
        ['custom_Seats', 'by its name'],
      ],
    ]);
  });

  it('can be named if they are not recognised', () => {
    const names = ['Record ID', 'About Us'];
    expect(planned(names).plan.preset).toBeUndefined();
    expect(planned(names, { from: 'hubspot' }).shown).toEqual([
      ['account_id', 'HubSpot'],
      [undefined, 'HubSpot: custom_About'],
    ]);
  });

  it('have names without what the system adds', () => {
    const { shown } = planned([
      'id',
      'Created (UTC)',
      'Delinquent',
      'seats (metadata)',
      'Licences (metadata)',
    ]);
    expect(shown).toEqual([
      ['account_id', 'Stripe'],
      [undefined, 'Stripe: custom_External_Created_At'],
      [undefined, 'Stripe: custom_Delinquent'],
      ['custom_Seats', 'by its name'],
      ['licenses', 'by its name'],
    ]);
    expect(planned(['id', 'Created (UTC)', 'Delinquent', 'Colour (metadata)']).plan.problems()).toEqual([
      'Column "Colour (metadata)" is unknown. Add --map "Colour (metadata)=custom_Colour" to send it, or --ignore "Colour (metadata)"',
    ]);
  });

  it('are names of JSON records, too', () => {
    const { shown } = planned(['Record ID', 'Company name', 'Company Domain Name'], {}, false);
    expect(shown[0]).toEqual(['account_id', 'HubSpot']);
  });
});

describe('a new column', () => {
  const fieldOf = (name: string) =>
    planned(['account_id', name], { isDeclaring: true }).columns.map(({ field, isNew }) => [field, isNew])[1];

  it.each([
    ['Renewal Date', 'custom_Renewal_Date'],
    ['Renewal_Date__c', 'custom_Renewal_Date'],
    ['Größe (m²)', 'custom_Größe_m²'],
    ['custom_Own.of-mine', 'custom_Own.of-mine'],
    ['custom_a b', 'custom_a_b'],
    ['Custom__c', 'custom_Custom'],
    ['x'.repeat(120), `custom_${'x'.repeat(98)}`],
  ])('%s becomes %s', (name, field) => {
    expect(fieldOf(name)).toEqual([field, true]);
  });

  it('cannot be an attribute with JSON', () => {
    expect(fieldOf('depth:json')).toEqual(['custom_depth', undefined]);
  });

  it('needs a field of its own', () => {
    const { plan } = planned(['account_id', 'Renewal Date', 'Renewal-Date'], { isDeclaring: true });
    expect(plan.problems()).toEqual([
      'Column "Renewal-Date" maps to custom_Renewal_Date, as does "Renewal Date". Add --map "Renewal-Date=custom_Renewal_Date_2" to send it, or --ignore "Renewal-Date"',
    ]);
  });
});

describe('--convert and --type of a field', () => {
  const types = { custom_B: 'text' } as const;
  const given = { conversions: { custom_A: chosen(['mdy']) }, types, isDeclaring: true };

  it('that no column is sent as are problems', () => {
    expect(planned(['account_id', 'licenses'], given).plan.problems()).toEqual([
      'No column is sent as custom_A, which --convert names. Check the name.',
      'No column is sent as custom_B, which --type names. Check the name.',
    ]);
  });

  it('are none if a column is, or if a JSON record further down may be', () => {
    const map = { A: 'custom_A', B: 'custom_B' };
    expect(planned(['account_id', 'A', 'B'], { ...given, map }).plan.problems()).toEqual([]);
    expect(planned(['account_id'], given, false).plan.problems()).toEqual([]);
  });

  it.each(['name', 'custom_B:json'])('that the column %s cannot declare is a problem', (column) => {
    const field = column.replace(':json', '');
    const { plan } = planned(['account_id', column], { types: { [field]: 'integer' }, isDeclaring: true });
    expect(plan.problems()).toEqual([
      `The column "${column}" declares no attribute ${field}. Leave out this --type.`,
    ]);
  });
});

it('ten thousand columns, many of them of the same name or without one, are mapped in linear time', () => {
  const names = Array.from(
    { length: 10_000 },
    (_, number) => ['', 'name', `Column ${number}`][number % 3] ?? '',
  );
  const { plan, columns } = planned(['account_id', ...names], { map: { '*': '*' } });
  expect(columns.filter(({ field }) => field?.startsWith('Column'))).toHaveLength(3_333);
  expect(plan.problems()).toEqual(['Several columns are named "name". Rename them, or add --ignore "name"']);
});
