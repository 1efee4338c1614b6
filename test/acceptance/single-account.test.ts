import { describe, it } from 'vitest';
import { expectRejected, expectResult, expectStored } from './expectations.js';
import { invalid, missingId, notAString, ownParent, tooLong } from './messages.js';
import { operations, single } from './operations.js';
import { freshId, post } from './requests.js';

describe('a single account', () => {
  it('is created with only an account_id', async () => {
    expectResult(await post('/api/v1_1/account', `{"account_id":"${freshId()}"}`), 'created');
  });

  it('is created with all the fields that every tenant has', async () => {
    const record = {
      account_id: freshId(),
      parent_account_id: freshId('parent'),
      name: 'Acme',
      licenses: 12,
      custom_Is_Valid: true,
      custom_External_Created_On: '2021-05-31',
      custom_External_Created_At: '2021-05-31T10:20:30Z',
    };
    await expectStored(single, record, 'created');
    await expectStored(single, record, 'unchanged');
  });

  it('is rejected with all messages in one list and every attribute in one object', async () => {
    const account_id = freshId();
    const record = {
      account_id,
      parent_account_id: account_id,
      name: 'x'.repeat(192),
      licenses: 'many',
      custom_Is_Valid: 'yes',
      custom_External_Created_On: '31/05/2021',
      custom_External_Created_At: 'noon',
    };
    await expectRejected(single, record, {
      parent_account_id: [ownParent],
      name: [tooLong('name')],
      licenses: [invalid(account_id, 'licenses', 'integer')],
      custom_Is_Valid: [invalid(account_id, 'custom_Is_Valid', 'boolean')],
      custom_External_Created_On: [invalid(account_id, 'custom_External_Created_On', 'date')],
      custom_External_Created_At: [invalid(account_id, 'custom_External_Created_At', 'datetime')],
    });
  });

  it('is rejected for a missing account_id and another field together', async () => {
    const errors = { account_id: [missingId], name: [tooLong('name')] };
    await expectRejected(single, { name: 'x'.repeat(192) }, errors);
  });

  it('is not stored when one of its fields is rejected', async () => {
    const account_id = freshId();
    const errors = { licenses: [invalid(account_id, 'licenses', 'integer')] };
    await expectRejected(single, { account_id, name: 'Acme', licenses: 'many' }, errors);
    await expectStored(single, { account_id }, 'created');
  });

  it('is not changed when one of its fields is rejected', async () => {
    const account_id = freshId();
    await expectStored(single, { account_id, name: 'Acme' }, 'created');
    const errors = { licenses: [invalid(account_id, 'licenses', 'integer')] };
    await expectRejected(single, { account_id, name: 'Other', licenses: 'many' }, errors);
    await expectStored(single, { account_id, name: 'Acme' }, 'unchanged');
  });
});

describe.each(operations)('the name of $name', (operation) => {
  it.each([
    ['191 characters', 'x'.repeat(191)],
    ['191 characters beyond the basic plane', '😀'.repeat(191)],
    ['no characters', ''],
    ['letters of any script', 'Ünïcode 株式会社 شركة'],
    ['markup and quotes', `<b>"Acme" & 'Sons'</b>\\`],
  ])('may have %s', async (_what, name) => {
    const account_id = freshId();
    await expectStored(operation, { account_id, name }, 'created');
    await expectStored(operation, { account_id, name }, 'unchanged');
    await expectStored(operation, { account_id, name: 'Another' }, 'updated');
  });

  it('keeps its case', async () => {
    const account_id = freshId();
    await expectStored(operation, { account_id, name: 'Acme' }, 'created');
    await expectStored(operation, { account_id, name: 'ACME' }, 'updated');
  });

  it.each([
    ['192 characters', 'x'.repeat(192)],
    ['192 characters beyond the basic plane', '😀'.repeat(192)],
  ])('may not have %s', async (_what, name) => {
    await expectRejected(operation, { account_id: freshId(), name }, { name: [tooLong('name')] });
  });

  it.each([[12], [true], [false], [['Acme']], [{ first: 'Acme' }]])(
    'must be a string, not %j',
    async (name) => {
      await expectRejected(operation, { account_id: freshId(), name }, { name: [notAString('name')] });
    },
  );
});
