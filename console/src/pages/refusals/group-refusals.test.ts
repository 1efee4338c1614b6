import { describe, expect, it } from 'vitest';
import type { Rejection } from '../../api/rejections';
import { groupRefusals, kindOf } from './group-refusals';

const refusal = (id: number, parts: Partial<Rejection>): Rejection => ({
  id: String(id),
  at: '2027-01-31T02:00:00.000Z',
  request_id: `job-${id}`,
  key_id: 'crm',
  operation: 'upsert-account',
  status: 400,
  index: null,
  account_id: null,
  errors: null,
  problem: null,
  record: null,
  ...parts,
});

const noInteger = (id: number, account_id: string, key_id = 'crm') =>
  refusal(id, {
    account_id,
    key_id,
    errors: { licenses: [`Account ${account_id}, licenses has invalid integer value.`] },
  });

describe('groups of refusals', () => {
  it('are of one attribute and one kind of message each, the largest first', () => {
    const first = noInteger(3, 'acme, inc.');
    const second = noInteger(2, 'globex', 'billing');
    const broken = refusal(1, {
      problem: 'The body is not valid JSON: unexpected end at line 1, column 15.',
    });
    expect(groupRefusals([first, second, broken])).toEqual([
      {
        key: 'licenses:licenses has invalid integer value',
        attribute: 'licenses',
        message: 'licenses has invalid integer value',
        refusals: [first, second],
        keys: 2,
        accounts: 2,
      },
      {
        key: ':The body is not valid JSON',
        attribute: null,
        message: 'The body is not valid JSON',
        refusals: [broken],
        keys: 1,
        accounts: 0,
      },
    ]);
  });

  it('have a record that is wrong in two ways in both', () => {
    const both = refusal(1, {
      account_id: 'acme',
      errors: {
        licenses: ['Account acme, licenses has invalid integer value.'],
        name: ['The name must be a string.'],
      },
    });
    expect(groupRefusals([both]).map(({ message }) => message)).toEqual([
      'licenses has invalid integer value',
      'The name must be a string',
    ]);
  });
});

describe('the kind of a message', () => {
  it.each([
    ['Account acme, licenses is read-only.', 'acme', 'licenses is read-only'],
    ['Account , licenses is read-only.', null, 'licenses is read-only'],
    ['Account a, b, c is read-only.', 'a, b', 'c is read-only'],
    ['The body is not valid JSON.', null, 'The body is not valid JSON'],
    [
      'Too many requests. Send this one again in 21 seconds.',
      null,
      'Too many requests. Send this one again in … seconds',
    ],
  ])('%s', (message, accountId, kind) => {
    expect(kindOf(message, accountId)).toBe(kind);
  });
});
