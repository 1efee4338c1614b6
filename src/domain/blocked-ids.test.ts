import { describe, expect, it, vi } from 'vitest';
import { blockedIds, blockOf, blockPatternProblem, SYSTEM_BLOCKED_IDS } from './blocked-ids.js';
import { canonicalIdentifier } from './identifier.js';

const none = blockedIds([], canonicalIdentifier);

describe("the system's own list", () => {
  it.each(SYSTEM_BLOCKED_IDS)('has %s in canonical form and blocks it for every tenant', (id) => {
    expect(canonicalIdentifier(id)).toBe(id);
    expect(blockOf(id, none)).toEqual({ pattern: id, list: 'system' });
  });

  it('names no identifier twice', () => {
    expect([...new Set(SYSTEM_BLOCKED_IDS)]).toEqual(SYSTEM_BLOCKED_IDS);
  });

  it.each(['', '0', 'nullable', 'none.com', 'acme', '00000000-0000-0000-0000-000000000001'])(
    'does not block %j',
    (id) => {
      expect(blockOf(id, none)).toBeUndefined();
    },
  );
});

describe("a tenant's list", () => {
  const blocked = blockedIds(
    [' Test-Account ', '*.Example.COM', '*.CAFE\u0301', 'a*b', '*', 'null'],
    canonicalIdentifier,
  );

  it.each([
    ['an exact identifier', 'test-account', ' Test-Account '],
    ['what ends in a suffix', 'shop.example.com', '*.Example.COM'],
    ['what ends in a suffix several levels down', 'a.b.example.com', '*.Example.COM'],
    ['what ends in a suffix brought into canonical form', 'x.caf\u00e9', '*.CAFE\u0301'],
    ['a literal star that does not start a suffix', 'a*b', 'a*b'],
  ])('blocks %s, and returns the original pattern', (_, id, pattern) => {
    expect(blockOf(id, blocked)).toEqual({ pattern, list: 'tenant' });
  });

  it("leaves the system's entries to the system", () => {
    expect(blockOf('null', blocked)).toEqual({ pattern: 'null', list: 'system' });
  });

  it.each([
    ['the suffix itself', 'example.com'],
    ['a longer word that ends like the suffix', 'myexample.com'],
    ['the suffix in the middle', 'shop.example.com.au'],
    ['more than the exact identifier', 'test-account-2'],
    ['what a star elsewhere would match as a wildcard', 'axb'],
  ])('does not block %s', (_, id) => {
    expect(blockOf(id, blocked)).toBeUndefined();
  });
});

describe('a long list', () => {
  const patterns = Array.from({ length: 5_000 }, (_, i) => `*.s${i}.example`);
  const blocked = blockedIds(['*.example.com', '*.shop.example.com', ...patterns], canonicalIdentifier);

  it('is looked up in constant time', () => {
    const compared = vi.spyOn(String.prototype, 'endsWith');
    expect(blockOf('a.s4999.example', blocked)).toEqual({ pattern: '*.s4999.example', list: 'tenant' });
    expect(blockOf('a.b.c.d.other', blocked)).toBeUndefined();
    expect(compared).not.toHaveBeenCalled();
    compared.mockRestore();
  });

  it('uses the longest matching suffix', () => {
    expect(blockOf('a.shop.example.com', blocked)).toEqual({ pattern: '*.shop.example.com', list: 'tenant' });
  });

  it('is looked up only where a suffix can start, for any number of dots', () => {
    const looked = vi.spyOn(Map.prototype, 'get');
    expect(blockOf('.'.repeat(1_000_000), blocked)).toBeUndefined();
    expect(looked.mock.calls.length).toBeLessThan(30);
    looked.mockRestore();
  });
});

describe('a pattern', () => {
  it.each(['acme', 'a.b', '*.example.com', '*.test', '*.a.', '*.рф', 'a b'])('can be %j', (pattern) => {
    expect(blockPatternProblem(pattern)).toBeUndefined();
  });

  it.each(['', '*', '*.', '**', 'foo*', '*foo', 'a*.b', '**.x', '*.*.b', '*.a*', '*..a'])(
    'cannot be %j',
    (pattern) => {
      expect(blockPatternProblem(pattern)).toBe(
        'must be an exact id without *, or a suffix such as *.example.com',
      );
    },
  );
});
