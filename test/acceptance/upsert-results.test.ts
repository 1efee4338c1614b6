import { describe, expect, it } from 'vitest';
import { expectBatchStored, expectRejected, expectStored } from './expectations.js';
import { missingId } from './messages.js';
import { operations, sync } from './operations.js';
import { freshId } from './requests.js';

describe.each(operations)('the result of syncing $name', (operation) => {
  it('is created, then unchanged, then updated', async () => {
    const account_id = freshId();
    await expectStored(operation, { account_id, name: 'Acme' }, 'created');
    await expectStored(operation, { account_id, name: 'Acme' }, 'unchanged');
    await expectStored(operation, { account_id, name: 'Other' }, 'updated');
    await expectStored(operation, { account_id, name: 'Other' }, 'unchanged');
    await expectStored(operation, { account_id, name: 'Acme' }, 'updated');
  });

  it('is updated when a field is added', async () => {
    const account_id = freshId();
    await expectStored(operation, { account_id }, 'created');
    await expectStored(operation, { account_id, licenses: 0 }, 'updated');
    await expectStored(operation, { account_id, custom_Boolean: false }, 'updated');
    await expectStored(operation, { account_id, licenses: 0, custom_Boolean: false }, 'unchanged');
  });

  it('is unchanged when fields are omitted, which keeps them', async () => {
    const record = {
      account_id: freshId(),
      parent_account_id: freshId(),
      name: 'Acme',
      licenses: 3,
      extra: [1],
    };
    await expectStored(operation, record, 'created');
    await expectStored(operation, { account_id: record.account_id }, 'unchanged');
    await expectStored(operation, record, 'unchanged');
  });

  it.each([
    ['parent_account_id', 'p'],
    ['name', 'Acme'],
    ['licenses', 3],
    ['extra', { a: 1 }],
  ])('is updated when %s is cleared by null, and the other fields stay', async (field, value) => {
    const account_id = freshId();
    const others = { custom_Text: 'kept' };
    await expectStored(operation, { account_id, [field]: value, ...others }, 'created');
    await expectStored(operation, { account_id, [field]: null }, 'updated');
    await expectStored(operation, { account_id, [field]: null, ...others }, 'unchanged');
    await expectStored(operation, { account_id, [field]: value }, 'updated');
  });

  it('is an error when account_id is cleared', async () => {
    await expectRejected(operation, { account_id: null, name: null }, { account_id: [missingId] });
  });

  it('does not depend on the order of the fields', async () => {
    const account_id = freshId();
    await expectStored(operation, { account_id, name: 'Acme', licenses: 3 }, 'created');
    await expectStored(operation, { licenses: 3, name: 'Acme', account_id }, 'unchanged');
  });

  it('is created once for concurrent requests with the same new account', async () => {
    const record = { account_id: freshId(), name: 'Acme' };
    const responses = await Promise.all(Array.from({ length: 20 }, () => sync(operation, record)));
    const results = responses.map(({ headers }) => headers.get('account-sync-result'));
    expect(results.sort()).toEqual(
      [operation.result('created'), ...Array(19).fill(operation.result('unchanged'))].sort(),
    );
  });

  it('keeps every field of concurrent requests for one account', async () => {
    const account_id = freshId();
    const fields = Array.from({ length: 20 }, (_, index) => [`field_${index}`, index] as const);
    await Promise.all(fields.map(([field, value]) => sync(operation, { account_id, [field]: value })));
    await expectStored(operation, { account_id, ...Object.fromEntries(fields) }, 'unchanged');
  });
});

describe('the counts of a batch', () => {
  it('contain all three numbers', async () => {
    const named = (count: number, name: string) =>
      Array.from({ length: count }, () => ({ account_id: freshId(), name }));
    const changed = named(2, 'Acme');
    const kept = named(3, 'Acme');
    await expectBatchStored([...changed, ...kept], 'created=5, updated=0, unchanged=0');
    const renamed = changed.map((record) => ({ ...record, name: 'Other' }));
    await expectBatchStored([...named(1, 'Acme'), ...renamed, ...kept], 'created=1, updated=2, unchanged=3');
  });
});
