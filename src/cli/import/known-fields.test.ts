import type { Attributes } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { attribute } from '../../../test/support/import-parts.js';
import { KnownFields, UNDECLARED } from './known-fields.js';

const SCHEMA: Attributes = {
  data: [
    attribute('licenses', 'integer'),
    attribute('custom_Renewal_Date', 'date'),
    attribute('custom_Tier', 'choice', { choices: ['gold', 'silver'] }),
    attribute('custom_Color', 'text'),
    attribute('custom_Centre', 'text'),
    attribute('custom_Organisation', 'text'),
    attribute('custom_Addresses', 'text'),
    attribute('custom_Status', 'text'),
    attribute('custom_Score', 'decimal', { read_only: true }),
    attribute('custom_Région', 'text'),
    attribute('custom_Zone', 'text'),
    attribute('custom_zone', 'text'),
    attribute('custom_ZONE', 'text'),
  ],
  undeclared: [
    { name: 'plan', accounts: 3, guess: 'text' },
    { name: 'constructor', accounts: 1, guess: 'text' },
    { name: '🔥', accounts: 1, guess: 'text' },
  ],
};
const known = new KnownFields(SCHEMA);

describe('a name is another spelling of', () => {
  it.each<[string, readonly string[]]>([
    [
      'account_id',
      [
        ...[
          'Account ID',
          'AccountId',
          'account-id',
          'account-ids',
          'ACCOUNT IDs',
          ' account_id ',
          'Id',
          'ID',
        ],
        ...['Record ID', 'RecordIDs', 'External Id', 'Company ID', 'Customer-Id', 'Organization ID'],
        ...['Organisation ID', 'Client id', 'Business ID', 'External_ID__c'],
      ],
    ],
    ['parent_account_id', ['Parent Account ID', 'ParentId', 'Parent Record ID', 'Parent company id']],
    ['name', ['Name', 'NAME', 'Account Name', 'Company name', 'Organisation Name', 'Client Names']],
    [
      'licenses',
      [
        'Licenses',
        'Licences',
        'License',
        'licence__c',
        'License Count',
        'Number of licences',
        'ＬＩＣＥＮＳＥＳ',
      ],
    ],
    ['custom_Renewal_Date', ['Renewal Date', 'renewaldate', 'Renewal_Date__c', 'custom_Renewal-Dates']],
    ['custom_Tier', ['Tier', 'tier', 'TIERS', 'custom tier']],
    ['custom_Color', ['Colour', 'colors', 'custom_colours']],
    ['custom_Centre', ['Center', 'centres']],
    ['custom_Organisation', ['Organization', 'organisations']],
    ['custom_Addresses', ['addresses']],
    ['custom_Status', ['status', 'Status?']],
    ['custom_Région', ['région', 'RE\u0301GION']],
    ['plan', ['Plan', 'plans']],
    ['constructor', ['Constructor']],
  ])('%s', (field, names) => {
    expect(names.map((name) => [name, known.guess(name)?.name])).toEqual(names.map((name) => [name, field]));
  });
});

it('other names are no spelling of a field', () => {
  const names = [
    ...[
      '',
      ' ',
      '__c',
      '❤',
      '🔥',
      'Seats',
      'Account',
      'Company',
      'Customer',
      'idea',
      'names of all',
      'Statu',
    ],
    // Three fields have this spelling.
    'Zone',
    ...['__proto__', 'toString', 'address'],
  ];
  expect(names.filter((name) => known.guess(name) !== undefined)).toEqual([]);
});

it('the name of a field wins over a synonym', () => {
  const own = new KnownFields({
    data: [attribute('custom_Record_ID', 'text'), attribute('custom_account_id', 'text')],
    undeclared: [{ name: 'Company Name', accounts: 1, guess: 'text' }],
  });
  const guessed = ['Record ID', 'Company name', 'Account ID', 'custom account id', 'ID'].map(
    (name) => own.guess(name)?.name,
  );
  expect(guessed).toEqual([
    'custom_Record_ID',
    'Company Name',
    'account_id',
    'custom_account_id',
    'account_id',
  ]);
});

it('a field has the type that the server expects', () => {
  const type = (name: string) => known.find(name)?.type;
  expect(['account_id', 'parent_account_id', 'name', 'licenses'].map(type)).toEqual([
    'id',
    'id',
    'text',
    'integer',
  ]);
  expect(['custom_Tier', 'plan', 'tier', 'Account ID'].map(type)).toEqual([
    'choice: gold, silver',
    UNDECLARED,
    undefined,
    undefined,
  ]);
  expect(known.find('custom_Tier')?.attribute?.choices).toEqual(['gold', 'silver']);
});

it('fields that the server sets cannot be sent', () => {
  expect(
    ['created_at', 'updated_at', 'revision', 'custom_Score', 'name', 'nothing'].map((name) =>
      known.isReadOnly(name),
    ),
  ).toEqual([true, true, true, true, false, false]);
  expect(known.writable).not.toContain('custom_Score');
});

it('without a schema, the built-in fields are known', () => {
  const builtIn = new KnownFields(undefined);
  expect(builtIn.writable).toEqual([
    'account_id',
    'parent_account_id',
    'name',
    'licenses',
    'custom_Is_Valid',
    'custom_External_Created_On',
    'custom_External_Created_At',
  ]);
  expect([builtIn.find('licenses')?.type, builtIn.guess('Is valid?')?.name]).toEqual([
    'integer',
    'custom_Is_Valid',
  ]);
});
