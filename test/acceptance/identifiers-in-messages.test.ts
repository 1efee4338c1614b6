import { describe, it } from 'vitest';
import { expectRefused } from './expectations.js';
import { invalid, missingId, tooLong } from './messages.js';
import { operations } from './operations.js';
import { freshDomain, freshId, freshInteger } from './requests.js';
import { target } from './target.js';

describe.each(operations)('the identifier in a message about $name', (operation) => {
  it.each([
    ['in the case in which it was sent', (id: string) => `MiXeD-${id}`],
    ['in the Unicode form in which it was sent', (id: string) => `cafe\u0301-${id}`],
    ['with its inner white space', (id: string) => `two  words ${id}`],
    ['with its quotes', (id: string) => `"${id}'<b>\\`],
  ])('stands %s', async (_how, build) => {
    const account_id = build(freshId());
    await expectRefused(
      operation,
      { account_id, licenses: 'many' },
      { licenses: [invalid(account_id, 'licenses', 'integer')] },
    );
  });

  it('stands trimmed', async () => {
    const id = freshId('MiXeD');
    await expectRefused(
      operation,
      { account_id: ` \t${id}\n`, licenses: 'many' },
      { licenses: [invalid(id, 'licenses', 'integer')] },
    );
  });

  it('stands as a decimal string when it was sent as an integer', async () => {
    const id = freshInteger();
    await expectRefused(
      operation,
      { account_id: id, licenses: 'many' },
      { licenses: [invalid(String(id), 'licenses', 'integer')] },
    );
  });

  it('stands as it was sent, not in ASCII, when it is an international domain', async () => {
    const account_id = `Bücher-${freshDomain('de')}`;
    await expectRefused(
      operation,
      { account_id, licenses: 'many' },
      { licenses: [invalid(account_id, 'licenses', 'integer')] },
      target.keys.domains,
    );
  });

  it.each([
    '{"licenses":"many"}',
    '{"account_id":null,"licenses":"many"}',
    '{"account_id":" ","licenses":"many"}',
  ])('leaves its place empty in the answer to %s', async (record) => {
    await expectRefused(operation, record, {
      account_id: [missingId],
      licenses: ['Account , licenses has invalid integer value.'],
    });
  });

  it('is cut to 191 characters', async () => {
    const account_id = freshId().padEnd(300, 'x');
    await expectRefused(
      operation,
      { account_id, licenses: 'many' },
      {
        account_id: [tooLong('account_id')],
        licenses: [invalid(account_id.slice(0, 191), 'licenses', 'integer')],
      },
    );
  });

  it('is never cut within a character', async () => {
    const account_id = '😀'.repeat(200);
    await expectRefused(
      operation,
      { account_id, licenses: 'many' },
      {
        account_id: [tooLong('account_id')],
        licenses: [invalid('😀'.repeat(191), 'licenses', 'integer')],
      },
    );
  });
});
