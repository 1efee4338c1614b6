import { describe, it } from 'vitest';
import { expectRejected } from './expectations.js';
import {
  blocked,
  invalid,
  missingId,
  notADomain,
  notAString,
  ownParent,
  readOnly,
  tooLong,
} from './messages.js';
import { operations } from './operations.js';
import { freshId } from './requests.js';
import { target } from './target.js';

describe.each(operations)('the messages about $name', (operation) => {
  it('name account_id, parent_account_id and name first, in any order of the request', async () => {
    const account_id = 'blocked-by-tenant';
    await expectRejected(
      operation,
      { licenses: 'many', name: 12, custom_Boolean: 'yes', parent_account_id: account_id, account_id },
      {
        account_id: [blocked],
        parent_account_id: [ownParent],
        name: [notAString('name')],
        licenses: [invalid(account_id, 'licenses', 'integer')],
        custom_Boolean: [invalid(account_id, 'custom_Boolean', 'boolean')],
      },
    );
  });

  it.each([
    [['licenses', 'custom_Date', 'created_at', 'extra', 'custom_Tier']],
    [['extra', 'custom_Tier', 'licenses', 'created_at', 'custom_Date']],
    [['custom_Date', 'extra', 'created_at', 'custom_Tier', 'licenses']],
  ])('name the other fields in the order sent: %j', async (order) => {
    const account_id = freshId();
    const values: Record<string, unknown> = { extra: 2 ** 53 };
    const types: Record<string, string> = {
      licenses: 'integer',
      custom_Date: 'date',
      extra: 'integer',
      custom_Tier: 'choice',
    };
    const message = (field: string) =>
      field === 'created_at' ? readOnly(account_id, field) : invalid(account_id, field, types[field] ?? '');
    await expectRejected(
      operation,
      { account_id, ...Object.fromEntries(order.map((field) => [field, values[field] ?? 'wrong'])) },
      Object.fromEntries(order.map((field) => [field, [message(field)]])),
    );
  });

  it('report account_id as too long, no domain, blocked and invalid text, in this order', async () => {
    const account_id = `${'a'.repeat(180)}\u0000.blocked.com`;
    await expectRejected(
      operation,
      { account_id },
      {
        account_id: [
          tooLong('account_id'),
          notADomain,
          blocked,
          invalid(account_id.slice(0, 191), 'account_id', 'text'),
        ],
      },
      target.keys.domains,
    );
  });

  it('report account_id as too long, then as blocked', async () => {
    const account_id = `${'a'.repeat(180)}.blocked.example`;
    await expectRejected(operation, { account_id }, { account_id: [tooLong('account_id'), blocked] });
  });

  it('report parent_account_id as too long, the same and invalid text, in this order', async () => {
    const id = `\u0000${freshId().padEnd(191, 'x')}`;
    const echoed = id.slice(0, 191);
    await expectRejected(
      operation,
      { account_id: id, parent_account_id: id },
      {
        account_id: [tooLong('account_id'), invalid(echoed, 'account_id', 'text')],
        parent_account_id: [
          tooLong('parent_account_id'),
          ownParent,
          invalid(echoed, 'parent_account_id', 'text'),
        ],
      },
    );
  });

  it('report a missing account_id once, and continue with the other fields', async () => {
    await expectRejected(
      operation,
      { licenses: 'many', revision: 1, name: 'x'.repeat(192), parent_account_id: true },
      {
        account_id: [missingId],
        parent_account_id: [notAString('parent_account_id')],
        name: [tooLong('name')],
        licenses: [invalid('', 'licenses', 'integer')],
        revision: [readOnly('', 'revision')],
      },
    );
  });
});
