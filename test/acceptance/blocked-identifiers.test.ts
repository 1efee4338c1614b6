import { describe, it } from 'vitest';
import { expectBatchRejected, expectRejected, expectStored, expectSuccess } from './expectations.js';
import { blocked } from './messages.js';
import { operations, sync } from './operations.js';
import { freshId } from './requests.js';
import { target } from './target.js';

describe.each(operations)('the block list for $name', (operation) => {
  it.each([
    'null',
    'undefined',
    'none',
    'nan',
    'n/a',
    '[object object]',
    '00000000-0000-0000-0000-000000000000',
    'NULL',
    'NaN',
    'N/A',
    '[object Object]',
    ' None ',
  ])('of the system blocks "%s" for every tenant', async (account_id) => {
    await expectRejected(operation, { account_id }, { account_id: [blocked] }, target.keys.plain);
    await expectRejected(operation, { account_id }, { account_id: [blocked] }, target.keys.strict);
  });

  it.each(['blocked-by-tenant', 'Blocked-By-TENANT', '  blocked-by-tenant '])(
    'of the tenant blocks the exact id "%s"',
    async (account_id) => {
      await expectRejected(operation, { account_id }, { account_id: [blocked] });
    },
  );

  it.each([
    ['one label', () => `${freshId()}.blocked.example`],
    ['several labels', () => `a.${freshId()}.blocked.example`],
    ['another case', () => `${freshId()}.BLOCKED.Example`],
  ])('of the tenant blocks ids that match a suffix pattern: %s', async (_how, build) => {
    await expectRejected(operation, { account_id: build() }, { account_id: [blocked] });
  });

  it.each([
    ['an exact id with something after it', () => `blocked-by-tenant-${freshId()}`],
    ['an exact id with something before it', () => `${freshId()}-blocked-by-tenant`],
    ['a name that only ends alike', () => `${freshId()}-blocked.example`],
    ['a suffix in the middle', () => `a.blocked.example.${freshId()}`],
    ['a suffix whose dots are other characters', () => `${freshId()}.blockedxexample`],
  ])('of the tenant does not block %s', async (_what, build) => {
    await expectStored(operation, { account_id: build() }, 'created');
  });

  it('of the tenant does not block the bare suffix of a pattern', async () => {
    expectSuccess(await sync(operation, { account_id: 'blocked.example' }));
  });

  it.each(['blocked-by-tenant', 'a.blocked.example'])(
    'of one tenant does not block "%s" for another',
    async (account_id) => {
      expectSuccess(await sync(operation, { account_id }, target.keys.hosted));
    },
  );

  it.each(['blocked-by-tenant', 'a.blocked.example', 'none'])(
    'does not apply to the parent_account_id "%s"',
    async (parent_account_id) => {
      await expectStored(operation, { account_id: freshId(), parent_account_id }, 'created');
    },
  );
});

describe('a batch', () => {
  it('reports the blocked ids at their indexes', async () => {
    await expectBatchRejected(
      [{ account_id: 'null' }, { account_id: freshId() }, { account_id: 'blocked-by-tenant' }],
      [{ account_id: [blocked] }, {}, { account_id: [blocked] }],
    );
  });
});
