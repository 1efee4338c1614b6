import type { UndoConflict } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { withConflict } from './first-conflicts';

const conflict = (account_id: string, field: string | null = 'licenses'): UndoConflict => ({
  account_id,
  field,
  reason: 'changed',
  before: 20,
  left: 25,
  now: 30,
});

const collect = (conflicts: readonly UndoConflict[]) =>
  conflicts.reduce<readonly UndoConflict[]>(withConflict, []);

describe('withConflict', () => {
  it('keeps each field of an account once, in the order in which they arrive', () => {
    const all = [conflict('b'), conflict('a'), conflict('a', 'name'), conflict('a', null)];
    expect(collect([...all, ...all])).toEqual(all);
  });

  it('keeps the first 100', () => {
    const all = Array.from({ length: 130 }, (_, n) => conflict(`a${n}`));
    expect(collect(all)).toEqual(all.slice(0, 100));
  });
});
