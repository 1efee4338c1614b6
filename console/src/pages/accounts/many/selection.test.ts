import { describe, expect, it } from 'vitest';
import {
  countOf,
  isEmpty,
  isSelected,
  NOTHING,
  rowsBetween,
  type Selection,
  selectionBody,
  shareOf,
  toggled,
} from './selection';

const rows = (...ids: string[]) => ids.map((account_id) => ({ account_id }));

const PAGE = rows('a', 'b', 'c');
const ALL: Selection = {
  matching: { filters: { parent: 'acme', attribute: ['custom_Tier:gold'] }, accounts: 500, isExact: true },
};

describe('a selection', () => {
  it('keeps the accounts of other pages', () => {
    const first = toggled(NOTHING, rows('a', 'c'), true, PAGE);
    const both = toggled(first, rows('d'), true, rows('d', 'e'));
    expect(selectionBody(both)).toEqual({ ids: ['a', 'c', 'd'] });
    expect(selectionBody(toggled(both, rows('c'), false, PAGE))).toEqual({ ids: ['a', 'd'] });
    expect(countOf(both)).toEqual({ accounts: 3, isExact: true });
    expect(isEmpty(toggled(first, PAGE, false, PAGE))).toBe(true);
  });

  it('has all, some or none of the shown accounts', () => {
    const some = toggled(NOTHING, rows('a'), true, PAGE);
    const shares = [NOTHING, some, toggled(some, PAGE, true, PAGE), ALL].map((one) => shareOf(one, PAGE));
    expect(shares).toEqual(['none', 'some', 'all', 'all']);
    expect(shareOf(some, [])).toBe('none');
  });

  it('has all that match, also accounts that are not shown', () => {
    expect(isSelected(ALL, { account_id: 'z' })).toBe(true);
    expect(toggled(ALL, rows('a'), true, PAGE)).toBe(ALL);
    expect(countOf(ALL)).toMatchObject({ accounts: 500, isExact: true });
    expect(selectionBody(ALL)).toEqual({ matching: { parent: 'acme', attribute: ['custom_Tier:gold'] } });
  });

  it('of all that match becomes the others on the page when one of them is left out', () => {
    expect(selectionBody(toggled(ALL, rows('b'), false, PAGE))).toEqual({ ids: ['a', 'c'] });
    expect(isEmpty(toggled(ALL, PAGE, false, PAGE))).toBe(true);
  });

  it('remembers that all that match were selected, until no account is', () => {
    const narrowed = toggled(ALL, rows('b'), false, PAGE);
    const fewer = toggled(narrowed, rows('a'), false, PAGE);
    expect(fewer).toMatchObject({ all: { accounts: 500 } });
    expect(toggled(fewer, rows('c'), false, PAGE)).not.toHaveProperty('all');
  });

  it('is extended by the rows between two, in either direction', () => {
    expect(rowsBetween(PAGE, 'a', 'c')).toEqual(PAGE);
    expect(rowsBetween(PAGE, 'c', 'b')).toEqual(rows('b', 'c'));
    expect(rowsBetween(PAGE, 'not shown', 'b')).toEqual(rows('b'));
    expect(rowsBetween(PAGE, undefined, 'b')).toEqual(rows('b'));
  });
});
