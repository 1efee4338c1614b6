import { describe, it } from 'vitest';
import { expectRejected } from './expectations.js';
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
  ])('is shown %s', async (_how, build) => {
    const account_id = build(freshId());
    await expectRejected(
      operation,
      { account_id, licenses: 'many' },
      { licenses: [invalid(account_id, 'licenses', 'integer')] },
    );
  });

  it('is shown trimmed', async () => {
    const id = freshId('MiXeD');
    await expectRejected(
      operation,
      { account_id: ` \t${id}\n`, licenses: 'many' },
      { licenses: [invalid(id, 'licenses', 'integer')] },
    );
  });

  it('is shown as a decimal string when it was sent as an integer', async () => {
    const id = freshInteger();
    await expectRejected(
      operation,
      { account_id: id, licenses: 'many' },
      { licenses: [invalid(String(id), 'licenses', 'integer')] },
    );
  });

  it('is shown as sent, not in ASCII, when it is an international domain', async () => {
    const account_id = `Bücher-${freshDomain('de')}`;
    await expectRejected(
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
  ])('is empty in the response to %s', async (record) => {
    await expectRejected(operation, record, {
      account_id: [missingId],
      licenses: ['Account , licenses has invalid integer value.'],
    });
  });

  it('is cut to 191 characters', async () => {
    const account_id = freshId().padEnd(300, 'x');
    await expectRejected(
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
    await expectRejected(
      operation,
      { account_id, licenses: 'many' },
      {
        account_id: [tooLong('account_id')],
        licenses: [invalid('😀'.repeat(191), 'licenses', 'integer')],
      },
    );
  });
});
