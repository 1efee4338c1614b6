import { describe, expect, it } from 'vitest';
import { tenantRules } from './tenant.js';
import { ownershipErrors, validateAccount } from './validate-account.js';

const text = { type: 'text', choices: [], readOnly: false } as const;
const rules = tenantRules({
  accountIds: 'any',
  undeclaredFields: 'keep',
  attributes: [
    { ...text, name: 'custom_Tier', owner: { source: 'billing', others: 'reject' } },
    { ...text, name: 'name', owner: { source: 'billing', others: 'keep' } },
    { ...text, name: 'parent_account_id', owner: { source: 'crm', others: 'keep' } },
    { ...text, name: 'licenses', type: 'integer', owner: { source: 'crm', others: 'reject' } },
    { ...text, name: 'custom_Free' },
  ],
  blockedPatterns: [],
});

describe('the patch of a record', () => {
  const record = {
    account_id: 'a',
    custom_Free: 'x',
    custom_Tier: 'gold',
    licenses: ' 3 ',
    name: null,
    parent_account_id: ' P ',
  };
  const fields = { parent_account_id: 'p', name: null, custom_Free: 'x', custom_Tier: 'gold', licenses: 3 };

  it.each([
    ['billing', { parent_account_id: 'keep', licenses: 'reject' }],
    ['crm', { custom_Tier: 'reject', name: 'keep' }],
    ['other', { custom_Tier: 'reject', name: 'keep', parent_account_id: 'keep', licenses: 'reject' }],
    [undefined, { custom_Tier: 'reject', name: 'keep', parent_account_id: 'keep', licenses: 'reject' }],
  ])('of the source %s tells which of its fields others own', (source, owned) => {
    expect(validateAccount(record, rules, source)).toEqual({
      patch: { accountId: 'a', fields, owned: new Map(Object.entries(owned)) },
    });
  });

  it('has no owned fields if it sends none', () => {
    expect(validateAccount({ account_id: 'a', custom_Free: 'x' }, rules, 'other')).toEqual({
      patch: { accountId: 'a', fields: { custom_Free: 'x' } },
    });
  });

  it('does not exist if the record breaks another rule, and its messages name no owned field', () => {
    const { patch, errors } = validateAccount(
      { account_id: 'a', custom_Tier: 'gold', licenses: 'x' },
      rules,
      'other',
    );
    expect([patch, [...(errors ?? [])]]).toEqual([
      undefined,
      [['licenses', ['Account a, licenses has invalid integer value.']]],
    ]);
  });
});

describe('ownershipErrors', () => {
  it.each([
    [{ account_id: ' MiXeD ' }, 'MiXeD'],
    [{ account_id: 12 }, '12'],
    [{ account_id: 'x'.repeat(300) }, 'x'.repeat(191)],
    [{}, ''],
    [null, ''],
  ])('name the account of %j as it was sent', (record, id) => {
    expect([...ownershipErrors(record, ['name', 'custom_Tier'])]).toEqual([
      ['name', [`Account ${id}, name is read-only.`]],
      ['custom_Tier', [`Account ${id}, custom_Tier is read-only.`]],
    ]);
  });
});
