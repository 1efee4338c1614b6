import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstCharacters, isLongerThan, isStorableText } from './text.js';

const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00'), maxLength: 12 });

describe('isLongerThan', () => {
  it.each([
    ['', 0, false],
    ['a', 0, true],
    ['abc', 3, false],
    ['abcd', 3, true],
    ['😀😀😀', 3, false],
    ['😀😀😀a', 3, true],
    ['e\u0301', 1, true],
  ])('%j against %i: %s', (sent, limit, longer) => {
    expect(isLongerThan(sent, limit)).toBe(longer);
  });

  it('counts code points', () => {
    fc.assert(
      fc.property(text, fc.nat(12), (sent, limit) => {
        expect(isLongerThan(sent, limit)).toBe([...sent].length > limit);
      }),
      { numRuns: 500 },
    );
  });
});

describe('firstCharacters', () => {
  it('never cuts an emoji in two', () => {
    expect(firstCharacters('a😀😀😀', 2)).toBe('a😀');
  });

  it('returns the first code points of any text', () => {
    fc.assert(
      fc.property(text, fc.nat(12), (sent, limit) => {
        expect(firstCharacters(sent, limit)).toBe([...sent].slice(0, limit).join(''));
      }),
      { numRuns: 500 },
    );
  });
});

describe('isStorableText', () => {
  it('is true exactly for text that UTF-8 preserves and that has no NUL', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\0', '😀', '\ud83d', '\ude00'), maxLength: 4 }),
        (sent) => {
          expect(isStorableText(sent)).toBe(Buffer.from(sent).toString() === sent && !sent.includes('\0'));
        },
      ),
      { numRuns: 500 },
    );
  });
});
