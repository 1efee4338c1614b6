import { describe, expect, it } from 'vitest';
import { attribute } from '../../../test/support/import-parts.js';
import type { JsonObject } from '../import/json.js';
import { KnownFields } from '../import/known-fields.js';
import { StreamPlan } from './stream-plan.js';

const KNOWN = new KnownFields({
  data: [
    attribute('licenses', 'integer'),
    attribute('custom_Renewal', 'date'),
    attribute('custom_Contract', 'text'),
    attribute('custom_Score', 'decimal', { read_only: true }),
  ],
  undeclared: [{ name: 'plan', accounts: 3, guess: 'text' }],
});

interface Given {
  readonly map?: Record<string, string | null>;
  readonly key?: readonly string[];
}

const planOf = (properties: readonly string[], { map = {}, key = [properties[0] ?? ''] }: Given = {}) =>
  new StreamPlan(
    { type: 'SCHEMA', stream: 'Account', properties, keyProperties: key },
    new Map(Object.entries(map)),
    KNOWN,
  );

const fieldsOf = (properties: readonly string[], given?: Given) =>
  planOf(properties, given).properties.map(({ field }) => field);

describe('a property becomes', () => {
  it.each<[string, readonly string[], Given, readonly (string | undefined)[]]>([
    ['the account id, if it is the only key', ['Domain', 'Name'], {}, ['account_id', 'name']],
    [
      'the account id by its exact name',
      ['uuid', 'account_id'],
      { map: { uuid: null } },
      [undefined, 'account_id'],
    ],
    [
      'what the mapping says, whatever its name',
      ['Id', 'Name', 'customer'],
      { map: { Id: null, Name: 'custom_Name', customer: 'account_id' } },
      [undefined, 'custom_Name', 'account_id'],
    ],
    [
      'the field with its exact name, before another spelling of it',
      ['Id', 'PLAN', 'plan'],
      { map: { PLAN: null } },
      ['account_id', undefined, 'plan'],
    ],
    [
      'the field with another spelling',
      ['Id', 'Renewal', 'ParentId'],
      {},
      ['account_id', 'custom_Renewal', 'parent_account_id'],
    ],
    [
      'nothing, if it is metadata',
      ['Id', '_sdc_batched_at'],
      { map: { '*': '*' } },
      ['account_id', undefined],
    ],
    [
      'a field, if metadata is mapped',
      ['Id', '_sdc_deleted_at'],
      { map: { _sdc_deleted_at: 'plan' } },
      ['account_id', 'plan'],
    ],
    ['a field of its own name with *', ['Id', 'Colour'], { map: { '*': '*' } }, ['account_id', 'Colour']],
    [
      'nothing, if all others are ignored',
      ['Id', 'Colour'],
      { map: { '*': null } },
      ['account_id', undefined],
    ],
  ])('%s', (_what, properties, given, fields) => {
    expect(fieldsOf(properties, given)).toEqual(fields);
    expect(planOf(properties, given).problems()).toEqual([]);
  });
});

describe('a problem is', () => {
  it.each<[string, readonly string[], Given, string]>([
    [
      'unknown properties, with lines for the mapping',
      ['Id', 'Annual "Value" ($)', 'custom_Tier'],
      {},
      'Some properties are unknown. Add them to its mapping, each with a field or with null, or leave out all others with "*": null:\n' +
        '  "Annual \\"Value\\" ($)": "custom_Annual_Value",\n  "custom_Tier": "custom_Tier"',
    ],
    ['a read-only field', ['Id', 'Score'], {}, 'custom_Score is read-only. Map "Score" to null.'],
    [
      'a field that the server sets',
      ['Id', 'updated_at'],
      { map: { '*': '*' } },
      'updated_at is read-only. Map "updated_at" to null.',
    ],
    [
      'the name __proto__',
      ['Id', '__proto__'],
      { map: { '*': '*' } },
      'No field can be named __proto__. Map "__proto__" to null.',
    ],
    [
      'two properties for one field',
      ['Id', 'Name', 'NAME'],
      {},
      '"NAME" maps to name, as does "Name". Map "NAME" to null.',
    ],
    [
      'a mapped property that the stream does not have',
      ['Id'],
      { map: { Nmae: 'name' } },
      'It has no property "Nmae". Check the name, and whether the tap selects it.',
    ],
    [
      'a stream without a key',
      ['id'],
      { key: [], map: { '*': null } },
      'It has no key, so it is not clear which property is the account id. Map one to "account_id".',
    ],
    [
      'a key of several properties',
      ['org', 'id'],
      { key: ['org', 'id'], map: { '*': null } },
      'Its key is "org", "id", so it is not clear which property is the account id. Map one to "account_id".',
    ],
    [
      'a key that is metadata',
      ['_sdc_primary_key', 'name'],
      {},
      'Its key is "_sdc_primary_key", so it is not clear which property is the account id. Map one to "account_id".',
    ],
    [
      'a key beside a property that is spelled like the account id',
      ['Id', 'AccountId'],
      { map: { '*': null } },
      'Both "Id", its key, and "AccountId" may be the account id. Map one of them to "account_id".',
    ],
  ])('%s', (_what, properties, given, problem) => {
    expect(planOf(properties, given).problems()).toEqual([`Stream Account: ${problem}`]);
  });
});

describe('a record', () => {
  const plan = planOf(['Id', 'Name', 'Renewal', 'Contract', 'Notes'], {
    map: { Notes: null, Address: 'custom_Address' },
  });
  const itemOf = (record: JsonObject) => plan.itemOf(record, 7, JSON.stringify(record));

  it('is sent with its fields and JSON types, adapted to the declared types', () => {
    const record = {
      Id: 42,
      Name: null,
      Renewal: '2027-01-31T00:00:00.000000Z',
      Contract: 1001,
      Notes: 'secret',
      Address: { city: 'Bonn' },
      _sdc_batched_at: '2026-11-18T10:00:00Z',
    };
    const fields = {
      account_id: 42,
      name: null,
      custom_Renewal: '2027-01-31',
      custom_Contract: '1001',
      custom_Address: { city: 'Bonn' },
    };
    expect(itemOf(record)).toEqual({
      line: 7,
      record: fields,
      original: JSON.stringify(fields),
      characters: JSON.stringify(record).length,
    });
  });

  it('leaves out what it does not have', () => {
    expect(itemOf({ Id: 'a' }).record).toEqual({ account_id: 'a' });
  });

  it('with a property that is not in the SCHEMA is rejected, and kept with its fields', () => {
    expect(itemOf({ Id: 'a', Colour: 'red', Notes: 'secret' })).toEqual({
      line: 7,
      record: undefined,
      problem: 'The property "Colour" is unknown. Add it to the mapping of the stream, with a field or null.',
      original: '{"account_id":"a","Colour":"red"}',
      characters: 42,
    });
  });

  it('may have anything in a property that is not sent', () => {
    expect(plan.itemOf(JSON.parse('{"Id":"a","Notes":1e400}'), 7, '').record).toEqual({ account_id: 'a' });
  });

  it('with two properties that the SCHEMA lacks, and that are one field, is rejected and kept as it came', () => {
    const without = planOf([], { key: ['Id'] });
    const record = { Id: 'a', Licenses: 1, licenses: 2 };
    expect(without.itemOf(record, 7, JSON.stringify(record))).toEqual({
      line: 7,
      record: undefined,
      problem: 'The record contains licenses under two names.',
      original: JSON.stringify(record),
      characters: JSON.stringify(record).length,
    });
  });

  it('with a number that would change is rejected, and kept as it came', () => {
    const text = '{"Id":"a","Contract":1e400}';
    expect(plan.itemOf(JSON.parse(text), 7, text)).toEqual({
      line: 7,
      record: undefined,
      problem: 'The record contains a number that is too large.',
      original: text,
      characters: text.length,
    });
  });
});
