import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_ATTRIBUTES } from '../../../domain/tenant.js';
import { CsvReader, type CsvRow } from '../../../formats/csv-reader.js';
import { Columns } from '../../export/columns.js';
import type { PresetName } from './preset.js';
import { PresetColumns } from './preset-columns.js';
import { PRESETS, recognisePreset } from './presets.js';
import { caseSafeId } from './salesforce-id.js';

const SAMPLES: readonly (readonly [file: string, system: PresetName])[] = [
  ['salesforce-data-export.csv', 'salesforce'],
  ['salesforce-report.csv', 'salesforce'],
  ['hubspot-companies.csv', 'hubspot'],
  ['stripe-customers.csv', 'stripe'],
  ['pipedrive-organizations.csv', 'pipedrive'],
];

function sample(file: string): { readonly header: readonly string[]; readonly rows: readonly CsvRow[] } {
  const text = readFileSync(new URL(`../../../../test/cli/exports/${file}`, import.meta.url), 'utf8');
  const [header, ...rows] = new CsvReader(',').push(text) as CsvRow[];
  return { header: header?.cells ?? [], rows };
}

/** The columns of a sample that the preset knows, with their fields. */
function mappedColumns(file: string): [column: string, field: string | null][] {
  const { header } = sample(file);
  const preset = recognisePreset(header);
  const columns = preset && new PresetColumns(preset);
  return header.flatMap((name) => {
    const field = columns?.fieldOf(name);
    return field === undefined ? [] : [[name, field]];
  });
}

const FIELD = /^custom_[\w.-]{1,93}$/;
const BUILT_IN = ['account_id', 'parent_account_id', 'name', ...BUILT_IN_ATTRIBUTES.map(({ name }) => name)];

describe('an export is recognised', () => {
  it.each(SAMPLES)('%s', (file, system) => {
    expect(recognisePreset(sample(file).header)?.name).toBe(system);
  });

  it.each(SAMPLES)('%s by the signatures of one system only', (file, system) => {
    const { header } = sample(file);
    const matching = PRESETS.filter(({ signatures }) =>
      signatures.some((signature) => signature.every((column) => header.includes(column))),
    );
    expect(matching.map(({ name }) => name)).toEqual([system]);
  });

  it('in any order, in upper or lower case, and with blanks around the names', () => {
    expect(recognisePreset([' DELINQUENT', 'created (utc) ', 'Extra', 'ID'])?.name).toBe('stripe');
  });

  it.each(PRESETS.flatMap(({ name, signatures }) => signatures.map((columns) => [name, columns] as const)))(
    'of %s by the signature %j',
    (name, columns) => {
      expect(recognisePreset(columns)?.name).toBe(name);
    },
  );
});

describe('no export of these systems is', () => {
  const exported = new Columns([]);
  exported.add({
    account_id: 'acme',
    parent_account_id: null,
    name: 'Acme',
    licenses: 5,
    custom_Tier: 'Gold',
  });
  it.each([
    ['an empty header', ''],
    ['ids and names', 'id,name'],
    ['ids, names and parents', 'Id,Name,ParentId'],
    ['accounts', 'Account ID,Account Name,Seats'],
    ['accounts with parents', 'Account ID,Account Name,Parent Account ID,Seats,Tier,Renewal,Owner'],
    ['an export of this service', exported.close().head.trim()],
    [
      'contacts of Salesforce',
      'Id,AccountId,Name,MailingCity,MailingCountry,OwnerId,CreatedDate,SystemModstamp',
    ],
    ['leads of Salesforce', 'Id,Name,Company,City,Country,NumberOfEmployees,AnnualRevenue,SystemModstamp'],
    ['contracts of Salesforce', 'Id,AccountId,Name,BillingCity,BillingCountry,OwnerId,SystemModstamp'],
    [
      'contacts of HubSpot',
      'Record ID,First Name,Email,Company Name,Contact owner,Create Date,Lifecycle Stage',
    ],
    ['deals of HubSpot', 'Record ID,Deal Name,Deal Stage,Deal owner,Create Date'],
    ['payments of Stripe', 'id,Description,Created (UTC),Amount,Customer ID,Customer Description'],
    ['people of Pipedrive', 'Person - Name,Person - ID,Person - Organization,Person - Owner'],
  ])('%s', (_what, header) => {
    expect(recognisePreset(header.split(','))).toBeUndefined();
  });
});

describe('the columns of a preset', () => {
  it.each(PRESETS.map((preset) => [preset.label, preset] as const))(
    'of %s go to built-in fields, or to names that attributes can have',
    (_label, { columns }) => {
      const fields = Object.values(columns).filter((field) => field !== null);
      expect(fields.filter((field) => !BUILT_IN.includes(field) && !FIELD.test(field))).toEqual([]);
      expect(fields).toEqual(expect.arrayContaining(['account_id', 'name']));
    },
  );

  it.each(PRESETS.map((preset) => [preset.label, preset] as const))(
    'of %s have names that differ not only by case',
    (_label, { columns }) => {
      const names = Object.keys(columns).map((name) => name.trim().toLowerCase());
      expect(new Set(names).size).toBe(names.length);
    },
  );

  it.each(PRESETS.map((preset) => [preset.label, preset] as const))(
    'of %s include those it is recognised by',
    (_label, preset) => {
      const columns = new PresetColumns(preset);
      expect(preset.signatures.flat().filter((name) => columns.fieldOf(name) === undefined)).toEqual([]);
    },
  );

  it.each(SAMPLES)('of %s go to different fields, an id and a name among them', (file) => {
    const fields = mappedColumns(file).flatMap(([, field]) => field ?? []);
    expect(fields).toEqual(expect.arrayContaining(['account_id', 'name']));
    expect(new Set(fields).size).toBe(fields.length);
  });

  it.each<[string, readonly string[]]>([
    ['salesforce-data-export.csv', ['Seats__c', 'Renewal_Date__c', 'Active__c', 'Tier__c', 'Products__c']],
    ['salesforce-report.csv', ['Seats', 'Renewal Date', 'Active', 'Key Account', 'Next Review']],
    ['hubspot-companies.csv', ['Seats', 'Renewal date', 'Active customer', 'Customer tier', 'Products']],
    [
      'stripe-customers.csv',
      ['seats', 'tier', 'active', 'renewal_date', 'parent_customer'].map((key) => `${key} (metadata)`),
    ],
    [
      'pipedrive-organizations.csv',
      ['Seats', 'Renewal date', 'Active', 'Tier', 'Products'].map((name) => `Organization - ${name}`),
    ],
  ])('of %s are all but those that a customer added', (file, added) => {
    const known = new Set(mappedColumns(file).map(([name]) => name));
    expect(sample(file).header.filter((name) => !known.has(name))).toEqual(added);
  });
});

describe('a sample', () => {
  it.each(SAMPLES)('%s has 25 whole rows with different ids, and only parents that it has', (file) => {
    const { header, rows } = sample(file);
    const ids = recognisePreset(header)?.ids;
    const fields = new Map(mappedColumns(file));
    const cells = (field: string) => {
      const at = header.findIndex((name) => fields.get(name) === field);
      return rows.map((row) => row.cells[at] ?? '').filter((cell) => cell !== '');
    };
    const comparable = (id: string) => (ids === 'salesforce' ? caseSafeId(id) : id)?.toLowerCase();
    expect(rows.map((row) => row.cells?.length)).toEqual(Array(25).fill(header.length));
    const accounts = new Set(cells('account_id').map(comparable));
    expect(accounts.size).toBe(25);
    expect(cells('parent_account_id').filter((id) => !accounts.has(comparable(id)))).toEqual([]);
  });

  it('has ids of Salesforce that are different accounts only with their case', () => {
    const ids = sample('salesforce-report.csv').rows.map(({ cells }) => cells[0] ?? '');
    expect(new Set(ids.map((id) => id.toLowerCase())).size).toBeLessThan(25);
  });
});
