import type { ManyRejection } from '@account-sync/client';
import { expect, it } from 'vitest';
import { NO_REJECTIONS, withRejection } from './rejected-accounts';

const readOnly = (id: string): ManyRejection => ({
  account_id: id,
  reason: 'invalid',
  errors: { custom_Tier: [`Account ${id}, custom_Tier is read-only.`] },
});

const all = (rejections: readonly ManyRejection[]) => rejections.reduce(withRejection, NO_REJECTIONS);

it('groups rejected accounts by reason, and names the first of each', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const { reasons, listed, others } = all([
    ...ids.map(readOnly),
    { account_id: 'e', reason: 'changed', errors: {} },
    { account_id: 'f', reason: 'not_found', errors: {} },
  ]);
  expect(reasons).toEqual([
    {
      text: 'custom_Tier cannot be changed: another source owns it, or it is read-only.',
      accounts: 4,
      first: ['a', 'b', 'c'],
    },
    { text: 'The account was changed by others at the same moment.', accounts: 1, first: ['e'] },
    { text: 'The account does not exist any more.', accounts: 1, first: ['f'] },
  ]);
  expect(listed.map(({ id }) => id)).toEqual([...ids, 'e', 'f']);
  expect(others).toBe(0);
});

it('lists a limited number of accounts and reasons, and counts the others', () => {
  const many = Array.from({ length: 100 }, (_, n) => n);
  expect(all(many.map((n) => readOnly(`a${n}`))).listed).toHaveLength(20);
  const different = many.map(
    (n): ManyRejection => ({ account_id: `a${n}`, reason: 'invalid', errors: { x: [`Reason ${n}.`] } }),
  );
  const { reasons, others } = all([...different, ...different]);
  expect([reasons.length, others]).toEqual([10, 180]);
  expect(reasons[0]?.accounts).toBe(2);
});
