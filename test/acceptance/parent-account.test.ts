import { describe, it } from 'vitest';
import { expectBatchStored, expectRejected, expectStored } from './expectations.js';
import { missingId, notAString, ownParent, tooLong } from './messages.js';
import { counts, operations } from './operations.js';
import { freshId, freshInteger } from './requests.js';

describe.each(operations)('the parent_account_id of $name', (operation) => {
  it.each(['true', 'false', '1.5', '[]', '["a"]', '{}', '9007199254740992', '1e400'])(
    'must be a string, not %s',
    async (parent) => {
      await expectRejected(operation, `{"account_id":"${freshId()}","parent_account_id":${parent}}`, {
        parent_account_id: [notAString('parent_account_id')],
      });
    },
  );

  it('need not exist', async () => {
    await expectStored(operation, { account_id: freshId(), parent_account_id: freshId() }, 'created');
  });

  it('does not create the parent', async () => {
    const parent = freshId();
    await expectStored(operation, { account_id: freshId(), parent_account_id: parent }, 'created');
    await expectStored(operation, { account_id: parent }, 'created');
  });

  it.each([
    ['lower-cased', (id: string) => id.toUpperCase(), (id: string) => id],
    ['trimmed', (id: string) => `  ${id}\n`, (id: string) => id],
    ['composed', (id: string) => `${id}-e\u0301`, (id: string) => `${id}-é`],
  ])('is stored %s', async (_how, sent, stored) => {
    const account_id = freshId();
    const parent = freshId();
    await expectStored(operation, { account_id, parent_account_id: sent(parent) }, 'created');
    await expectStored(operation, { account_id, parent_account_id: stored(parent) }, 'unchanged');
    await expectStored(operation, { account_id, parent_account_id: freshId() }, 'updated');
  });

  it('may be an integer, stored as its decimal string', async () => {
    const account_id = freshId();
    const parent = freshInteger();
    await expectStored(operation, { account_id, parent_account_id: parent }, 'created');
    await expectStored(operation, { account_id, parent_account_id: String(parent) }, 'unchanged');
  });

  it.each([null, '', ' \t\n'])('is cleared by %j', async (blank) => {
    const account_id = freshId();
    const parent_account_id = freshId();
    await expectStored(operation, { account_id, parent_account_id }, 'created');
    await expectStored(operation, { account_id, parent_account_id: blank }, 'updated');
    await expectStored(operation, { account_id, parent_account_id: null }, 'unchanged');
    await expectStored(operation, { account_id, parent_account_id }, 'updated');
  });

  it.each([
    ['the same text', (id: string) => [id, id]],
    ['the same but for case', (id: string) => [id, id.toUpperCase()]],
    ['the same but for white space', (id: string) => [` ${id}`, `${id}\t`]],
    ['the same but for the Unicode form', (id: string) => [`${id}é`, `${id}e\u0301`]],
  ])('may not be the account itself: %s', async (_how, build) => {
    const [account_id, parent_account_id] = build(freshId());
    await expectRejected(operation, { account_id, parent_account_id }, { parent_account_id: [ownParent] });
  });

  it('may not be the account itself: an integer and its decimal string', async () => {
    const id = freshInteger();
    const errors = { parent_account_id: [ownParent] };
    await expectRejected(operation, { account_id: id, parent_account_id: String(id) }, errors);
    await expectRejected(operation, { account_id: String(id), parent_account_id: id }, errors);
  });

  it.each(['{"account_id":"","parent_account_id":""}', '{"account_id":null,"parent_account_id":null}'])(
    'is not the same as a missing account_id: %s',
    async (record) => {
      await expectRejected(operation, record, { account_id: [missingId] });
    },
  );

  it('may have 191 characters, counted as code points', async () => {
    const parent = freshId();
    const long = parent + '😀'.repeat(191 - parent.length);
    await expectStored(operation, { account_id: freshId(), parent_account_id: long }, 'created');
  });

  it('may not have 192 characters', async () => {
    await expectRejected(
      operation,
      { account_id: freshId(), parent_account_id: freshId().padEnd(192, 'x') },
      { parent_account_id: [tooLong('parent_account_id')] },
    );
  });

  it('may form a cycle through another account', async () => {
    const [one, other] = [freshId(), freshId()];
    await expectStored(operation, { account_id: one, parent_account_id: other }, 'created');
    await expectStored(operation, { account_id: other, parent_account_id: one }, 'created');
    await expectStored(operation, { account_id: one, parent_account_id: other }, 'unchanged');
  });
});

describe('parents in one batch', () => {
  it('may come before or after their children, and in only some of the records', async () => {
    const [early, child, orphan, late] = [freshId(), freshId(), freshId(), freshId()];
    const records = [
      { account_id: early },
      { account_id: child, parent_account_id: late },
      { account_id: orphan },
      { account_id: late, parent_account_id: early },
    ];
    await expectBatchStored(records, counts({ created: 4 }));
    await expectBatchStored(records, counts({ unchanged: 4 }));
  });
});
