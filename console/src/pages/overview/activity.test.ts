import { describe, expect, it } from 'vitest';
import type { Counts } from '../../api/stats';
import { accountsBefore } from './activity';
import { syncsOf } from './series';

const counts = (parts: Partial<Counts> = {}): Counts => ({
  created: 0,
  updated: 0,
  archived: 0,
  restored: 0,
  deleted: 0,
  refused: 0,
  ...parts,
});

describe('accountsBefore', () => {
  it('takes back what has added and removed accounts in the period', () => {
    const total = counts({ created: 7, updated: 50, archived: 3, restored: 1, deleted: 2, refused: 9 });
    expect(accountsBefore({ accounts: 100, total })).toBe(97);
  });
});

describe('syncsOf', () => {
  const namesOf = (total: Counts | undefined) => syncsOf(total).map(({ name }) => name);

  it('has archived and restored accounts only if there are some', () => {
    expect(namesOf(undefined)).toEqual(['created', 'updated', 'deleted']);
    expect(namesOf(counts({ created: 1 }))).toEqual(['created', 'updated', 'deleted']);
    expect(namesOf(counts({ archived: 1 }))).toEqual(['created', 'updated', 'archived', 'deleted']);
    expect(namesOf(counts({ archived: 1, restored: 1 }))).toEqual([
      'created',
      'updated',
      'restored',
      'archived',
      'deleted',
    ]);
  });
});
