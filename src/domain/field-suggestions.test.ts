import fc from 'fast-check';
import * as levenshtein from 'fastest-levenshtein';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FieldSuggestions } from './field-suggestions.js';
import { tenantRules } from './tenant.js';
import { validateAccount } from './validate-account.js';

// Counts the calls; the function is the library's own.
vi.mock('fastest-levenshtein', async (original) => {
  const { distance } = await original<typeof levenshtein>();
  return { distance: vi.fn(distance) };
});
const distance = vi.mocked(levenshtein.distance);
afterEach(() => void distance.mockClear());

const KNOWN = [
  'account_id',
  'parent_account_id',
  'licenses',
  'custom_Is_Valid',
  'custom_Plan',
  'custom_Größe',
];
const suggestions = new FieldSuggestions(KNOWN);

const typos = (known: string, sent: string) => distance(known.toLowerCase(), sent.toLowerCase());
/** The first of the known names with the fewest typing errors. */
const closestOf = (known: readonly string[], sent: string) =>
  known.toSorted((a, b) => typos(a, sent) - typos(b, sent))[0] ?? '';

describe('a suggestion', () => {
  it.each([
    ['another case', 'LICENSES', 'licenses'],
    ['a missing character', 'licnses', 'licenses'],
    ['a character too many', 'custom_Plaan', 'custom_Plan'],
    ['a wrong character', 'licences', 'licenses'],
    ['neighbours swapped', 'licesnes', 'licenses'],
    ['one missing and one too many', 'acount_ids', 'account_id'],
    ['two neighbours missing', 'licens', 'licenses'],
    ['two neighbours too many', 'custom_Plan_1', 'custom_Plan'],
    ['no separators', 'parentAccountId', 'parent_account_id'],
    ['other separators', 'Parent Account-ID', 'parent_account_id'],
    ['a name beyond ASCII', 'custom_größse', 'custom_Größe'],
    ['other separators at more than two places', 'c-u-s-t-o-m-_-p-l-a-n', undefined],
    ['two wrong characters apart from each other', 'lizenxes', undefined],
    ['nothing', '', undefined],
  ])('for %s: %s → %s', (_, sent, known) => {
    expect(suggestions.closestTo(sent)).toBe(known);
  });

  it.each([
    ['the first of equally close ones', ['custom_B', 'custom_A'], 'custom_C', 'custom_B'],
    ['the closest one', ['custom_Planet', 'custom_Plan'], 'custom_Plans', 'custom_Plan'],
    ['the first of those that differ in case', ['custom_plaN', 'custom_Plan'], 'CUSTOM_PLAN', 'custom_plaN'],
    // The wrong character counts once, the one that moved twice.
    ['the closest of those without a character', ['custom_ab1', 'custom_1bb'], 'custom_1ab', 'custom_1bb'],
  ])('is %s', (_, known, sent, closest) => {
    expect(new FieldSuggestions(known).closestTo(sent)).toBe(closest);
  });

  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '_', 'é', '😀'), maxLength: 6 });

  it('is at most two typing errors away, and the closest one if one error suffices', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1 }), name, (known, sent) => {
        const found = new FieldSuggestions(known).closestTo(sent);
        const closest = closestOf(known, sent);
        if (typos(closest, sent) <= 1) expect(found).toBe(closest);
        if (found !== undefined) expect(typos(found, sent)).toBeLessThanOrEqual(2);
      }),
      { numRuns: 500 },
    );
  });

  it('is found if one character is missing on either side', () => {
    const place = fc.nat({ max: 5 });
    const without = (text: string, at: number) => text.slice(0, at) + text.slice(at + 1);
    fc.assert(
      fc.property(name, place, place, fc.constantFrom('a', 'x', '_'), (known, left, added, character) => {
        const rest = without(known, left);
        const sent = rest.slice(0, added) + character + rest.slice(added);
        expect(new FieldSuggestions([known]).closestTo(sent)).toBe(known);
      }),
    );
  });
});

describe('the cost of suggestions', () => {
  const known = Array.from({ length: 1_000 }, (_, i) => `custom_Attribute_${i}`);

  it('is at most four comparisons for a new name, for any number of known names', () => {
    const attributes = known.map((name) => ({ name, type: 'text', choices: [], readOnly: false }) as const);
    const rules = tenantRules({
      accountIds: 'any',
      undeclaredFields: 'reject',
      attributes,
      blockedPatterns: [],
    });
    for (let n = 0; n < 2_000; n += 1)
      validateAccount({ account_id: 'a', [`custom_Attributes_${n}`]: 1 }, rules);
    expect(distance.mock.calls.length).toBeLessThanOrEqual(4 * 2_000);
  });

  it('is zero for a name more than two characters longer than every known one', () => {
    const toLowerCase = vi.spyOn(String.prototype, 'toLowerCase');
    const many = new FieldSuggestions(known);
    many.closestTo('warm');
    toLowerCase.mockClear();
    expect(many.closestTo('x'.repeat(1_000_000))).toBeUndefined();
    expect(toLowerCase).not.toHaveBeenCalled();
    toLowerCase.mockRestore();
  });

  it('is little memory, even with the longest names', () => {
    const longest = new FieldSuggestions(known.map((name) => name.padEnd(107, 'ü')));
    const before = process.memoryUsage().arrayBuffers;
    expect(longest.closestTo(`custom_Attribute_7`.padEnd(106, 'ü'))).toBe(
      'custom_Attribute_7'.padEnd(107, 'ü'),
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThanOrEqual(9 * 1024 * 1024);
  });
});
