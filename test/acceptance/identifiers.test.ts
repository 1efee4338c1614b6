import { describe, it } from 'vitest';
import { expectRejected, expectStored, expectSuccess } from './expectations.js';
import { missingId, tooLong } from './messages.js';
import { operations, sync } from './operations.js';
import { freshId, freshInteger } from './requests.js';

describe.each(operations)('the account_id of $name', (operation) => {
  it.each([
    'null',
    '""',
    '" "',
    '"\\t\\r\\n"',
    'true',
    'false',
    '1.5',
    '[]',
    '["a"]',
    '{}',
    '{"id":"a"}',
    '9007199254740992',
    '-9007199254740992',
    '123456789012345678901234567890',
    '1e400',
  ])('does not exist when it is %s', async (id) => {
    await expectRejected(operation, `{"account_id":${id},"name":"Acme"}`, { account_id: [missingId] });
  });

  it.each(['{"name":"Acme"}', '{"Account_Id":"a"}', '{"account_id ":"a"}'])(
    'does not exist in %s',
    async (record) => {
      await expectRejected(operation, record, { account_id: [missingId] });
    },
  );

  it.each([
    ['lower-cased', (id: string) => id.toUpperCase(), (id: string) => id],
    ['trimmed', (id: string) => ` \t\r\n${id}  `, (id: string) => id],
    ['composed', (id: string) => `${id}-cafe\u0301`, (id: string) => `${id}-café`],
    ['lower-cased beyond ASCII', (id: string) => `${id}-ÀÉÎÕÜ-ЖЯ`, (id: string) => `${id}-àéîõü-жя`],
    ['lower-cased without a locale', (id: string) => `${id}-IİI`, (id: string) => `${id}-ii\u0307i`],
    ['freed of the Kelvin sign', (id: string) => `${id}-\u212A`, (id: string) => `${id}-k`],
    ['trimmed, composed and lower-cased', (id: string) => ` ${id}-E\u0301 `, (id: string) => `${id}-é`],
  ])('is stored %s', async (_how, sent, stored) => {
    const id = freshId();
    await expectStored(operation, { account_id: sent(id) }, 'created');
    await expectStored(operation, { account_id: stored(id) }, 'unchanged');
    await expectStored(operation, { account_id: sent(id) }, 'unchanged');
  });

  it.each([
    ['inner white space', 'a b', 'ab'],
    ['accents', 'é', 'e'],
    ['ligatures', 'ﬁ', 'fi'],
    ['a dotless i', 'ı', 'i'],
    ['punctuation', 'a_b', 'a-b'],
    ['a wildcard', 'a%', 'ab'],
    ['quotes', "a'b", 'a"b'],
  ])('distinguishes accounts by %s', async (_what, one, other) => {
    const id = freshId();
    await expectStored(operation, { account_id: `${id}${one}` }, 'created');
    await expectStored(operation, { account_id: `${id}${other}` }, 'created');
  });

  it.each([1, -1])('may be an integer, stored as its decimal string (sign %d)', async (sign) => {
    const id = sign * freshInteger();
    await expectStored(operation, { account_id: id }, 'created');
    await expectStored(operation, { account_id: String(id) }, 'unchanged');
    await expectStored(operation, `{"account_id":${id}.0}`, 'unchanged');
  });

  it.each([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])('may be the integer %d', async (id) => {
    expectSuccess(await sync(operation, { account_id: id }));
    await expectStored(operation, { account_id: String(id) }, 'unchanged');
  });

  it.each([
    ['191 characters', (id: string) => id.padEnd(191, 'x')],
    ['191 characters beyond the basic plane', (id: string) => id + '😀'.repeat(191 - id.length)],
    ['191 characters within white space', (id: string) => `   ${id.padEnd(191, 'x')}   `],
    ['191 characters once composed', (id: string) => id + 'e\u0301'.repeat(191 - id.length)],
  ])('may have %s', async (_what, long) => {
    await expectStored(operation, { account_id: long(freshId()) }, 'created');
  });

  it.each([
    ['192 characters', (id: string) => id.padEnd(192, 'x')],
    ['192 characters beyond the basic plane', (id: string) => id + '😀'.repeat(192 - id.length)],
    ['191 characters that grow in lower case', (id: string) => `${id.padEnd(190, 'x')}İ`],
    ['100,000 characters', (id: string) => id.padEnd(100_000, 'x')],
  ])('may not have %s', async (_what, long) => {
    const record = { account_id: long(freshId()) };
    await expectRejected(operation, record, { account_id: [tooLong('account_id')] });
  });
});
