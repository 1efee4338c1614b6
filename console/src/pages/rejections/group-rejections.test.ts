import { describe, expect, it } from 'vitest';
import type { Rejection } from '../../api/rejections';
import { groupRejections, kindOf } from './group-rejections';

const rejection = (id: number, parts: Partial<Rejection>): Rejection => ({
  id: String(id),
  at: '2027-01-31T02:00:00.000Z',
  request_id: `job-${id}`,
  key_id: 'crm',
  user: null,
  source: 'crm',
  run_id: '1',
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
  rejection(id, {
    account_id,
    key_id,
    errors: { licenses: [`Account ${account_id}, licenses has invalid integer value.`] },
  });

describe('groupRejections', () => {
  it('groups by attribute and kind of message, largest first', () => {
    const first = noInteger(3, 'acme, inc.');
    const second = noInteger(2, 'globex', 'billing');
    const broken = rejection(1, {
      problem: 'The body is not valid JSON: unexpected end at line 1, column 15.',
    });
    expect(groupRejections([first, second, broken])).toEqual([
      {
        key: 'licenses:licenses has invalid integer value',
        attribute: 'licenses',
        message: 'licenses has invalid integer value',
        rejections: [first, second],
        senders: 2,
        accounts: 2,
      },
      {
        key: ':The body is not valid JSON',
        attribute: null,
        message: 'The body is not valid JSON',
        rejections: [broken],
        senders: 1,
        accounts: 0,
      },
    ]);
  });

  it('puts a record with two errors into two groups', () => {
    const both = rejection(1, {
      account_id: 'acme',
      errors: {
        licenses: ['Account acme, licenses has invalid integer value.'],
        name: ['The name must be a string.'],
      },
    });
    expect(groupRejections([both]).map(({ message }) => message)).toEqual([
      'licenses has invalid integer value',
      'The name must be a string',
    ]);
  });
});

describe('kindOf', () => {
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
