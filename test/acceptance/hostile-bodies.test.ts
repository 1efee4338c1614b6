import { describe, it } from 'vitest';
import { expectEnvelope, expectStored } from './expectations.js';
import { operations, single, sync } from './operations.js';
import { freshId, post } from './requests.js';

const tooDeep = 'The body may not be nested deeper than 32 levels.';
const polluting = 'The body may not contain the key __proto__.';

const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe.each(operations)('nesting within $name', (operation) => {
  const around = operation === single ? 1 : 2;
  const record = (field: string) => `{"account_id":"${freshId()}","extra":${field}}`;

  it.each([
    ['arrays', arrays],
    ['objects', objects],
  ])('may be 32 levels of %s deep', async (_what, nest) => {
    await expectStored(operation, record(nest(32 - around)), 'created');
  });

  it.each([
    ['arrays', arrays],
    ['objects', objects],
  ])('may not be 33 levels of %s deep', async (_what, nest) => {
    expectEnvelope(await sync(operation, record(nest(33 - around))), 400, tooDeep);
  });

  it('may not be 100,000 levels deep', async () => {
    expectEnvelope(await post(operation.path, arrays(100_000)), 400, tooDeep);
  });

  it('does not count brackets within a string', async () => {
    await expectStored(operation, record(JSON.stringify(`${arrays(40)}"${'['.repeat(40)}`)), 'created');
  });

  it('does not count sibling brackets', async () => {
    await expectStored(operation, record(`[${Array(40).fill('[]').join(',')}]`), 'created');
  });
});

describe.each(operations)('the key __proto__ within $name', (operation) => {
  it.each([
    ['at the top', '"__proto__":{"name":"x"}'],
    ['as null', '"__proto__":null'],
    ['in an object', '"extra":{"__proto__":1}'],
    ['in an object in an array', '"extra":[1,{"deep":[{"__proto__":{}}]}]'],
    ['in escapes', '"\\u005f_proto\\u005F_":1'],
    ['in escapes in an object', '"extra":{"__pr\\u006fto__":1}'],
  ])('is rejected %s', async (_where, member) => {
    const response = await sync(operation, `{"account_id":"${freshId()}",${member}}`);
    expectEnvelope(response, 400, polluting);
  });

  it('is accepted as a value', async () => {
    await expectStored(
      operation,
      { account_id: freshId(), name: '__proto__', extra: ['__proto__'] },
      'created',
    );
  });

  it.each(['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'])(
    'has a harmless namesake in %s, which is kept like any other field',
    async (field) => {
      const account_id = freshId();
      await expectStored(operation, { account_id, [field]: 'first' }, 'created');
      await expectStored(operation, { account_id, [field]: 'first' }, 'unchanged');
      await expectStored(operation, { account_id, [field]: 'second' }, 'updated');
    },
  );
});
