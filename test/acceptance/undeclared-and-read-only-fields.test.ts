import { describe, it } from 'vitest';
import { expectRejected, expectStored } from './expectations.js';
import { invalid, readOnly, unknownField } from './messages.js';
import { operations } from './operations.js';
import { freshId } from './requests.js';
import { target } from './target.js';

const { strict } = target.keys;

describe.each(operations)('an undeclared field of $name', (operation) => {
  it.each([
    ['"text"', '"Text"'],
    ['""', '" "'],
    ['1', '"1"'],
    ['0', 'false'],
    ['0.1', '0.2'],
    ['9007199254740991', '9007199254740990'],
    ['-9007199254740991', '-9007199254740990'],
    ['true', '"true"'],
    ['[]', '{}'],
    ['[1,2]', '[2,1]'],
    ['{"a":{"b":[null,1]}}', '{"a":{"b":[null,2]}}'],
    ['{"a":null}', '{}'],
  ])('is kept as sent: %s is not %s', async (one, other) => {
    const id = freshId();
    const record = (value: string) => `{"account_id":"${id}","region":${value},"custom_Region":${value}}`;
    await expectStored(operation, record(one), 'created');
    await expectStored(operation, record(one), 'unchanged');
    await expectStored(operation, record(other), 'updated');
    await expectStored(operation, { account_id: id }, 'unchanged');
    await expectStored(operation, record(other), 'unchanged');
    await expectStored(operation, record('null'), 'updated');
    await expectStored(operation, record('null'), 'unchanged');
  });

  it.each([
    'Licenses',
    'Name',
    'custom_integer',
    'CUSTOM_Boolean',
    'Created_At',
    'custom_locked',
    ' name',
    '名前',
  ])('may have the name %j, because names are case-sensitive', async (field) => {
    const account_id = freshId();
    await expectStored(operation, { account_id, [field]: ['anything'] }, 'created');
    await expectStored(operation, { account_id, [field]: ['other'] }, 'updated');
  });

  it.each([
    ['1e400', 'decimal'],
    ['-1e400', 'decimal'],
    ['[1,[1e400]]', 'decimal'],
    ['{"deep":{"er":-1e400}}', 'decimal'],
    ['9007199254740992', 'integer'],
    ['-9007199254740992', 'integer'],
    ['123456789012345678901234567890', 'integer'],
    ['[9007199254740993]', 'integer'],
    ['{"deep":[{"er":9007199254740993}]}', 'integer'],
  ])('may not be %s, which cannot be stored exactly', async (value, type) => {
    const id = freshId();
    const errors = { region: [invalid(id, 'region', type)] };
    await expectRejected(operation, `{"account_id":"${id}","region":${value}}`, errors);
  });
});

describe.each(operations)('a tenant that rejects undeclared fields, sent $name', (operation) => {
  it('accepts the fields that it knows', async () => {
    const record = {
      account_id: freshId(),
      name: 'Acme',
      licenses: 1,
      custom_Is_Valid: true,
      custom_Health: 7,
    };
    await expectStored(operation, record, 'created', strict);
  });

  it.each(['region', 'favourite_colour', 'custom_Text', 'licenxyz', 'constructor', 'toString'])(
    'rejects %s',
    async (field) => {
      const account_id = freshId();
      const errors = { [field]: [unknownField(account_id, field)] };
      await expectRejected(operation, { account_id, [field]: 1 }, errors, strict);
    },
  );

  it.each([
    ['licences', 'licenses'],
    ['license', 'licenses'],
    ['Licenses', 'licenses'],
    ['LICENCES', 'licenses'],
    ['nmae', 'name'],
    ['parent_acount_id', 'parent_account_id'],
    ['custom_is_valid', 'custom_Is_Valid'],
    ['custom_Helth', 'custom_Health'],
  ])('rejects %s and proposes %s', async (field, known) => {
    const account_id = freshId();
    const errors = { [field]: [`${unknownField(account_id, field)} Did you mean ${known}?`] };
    await expectRejected(operation, { account_id, [field]: 1 }, errors, strict);
  });
});

describe.each(operations)('a read-only field of $name', (operation) => {
  it.each([
    ['created_at', '2021-05-31T10:20:30Z', 'plain'],
    ['updated_at', '2021-05-31T10:20:30Z', 'plain'],
    ['revision', 1, 'plain'],
    ['revision', null, 'plain'],
    ['revision', 'not even a number', 'plain'],
    ['custom_Locked', 'text', 'plain'],
    ['custom_Locked', 12, 'plain'],
    ['created_at', '2021-05-31T10:20:30Z', 'strict'],
  ] as const)('is rejected: %s as %j, with the key of the tenant %s', async (field, value, tenant) => {
    const account_id = freshId();
    const errors = { [field]: [readOnly(account_id, field)] };
    await expectRejected(operation, { account_id, [field]: value }, errors, target.keys[tenant]);
  });
});
