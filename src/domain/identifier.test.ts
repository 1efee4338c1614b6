import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalIdentifier, identifierText } from './identifier.js';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));

describe('canonicalIdentifier', () => {
  it.each([
    ['trims every kind of white space', '\u00a0\ufeff\u2003\t Acme 1 \r\n', 'acme 1'],
    ['keeps a zero-width space, which is no white space', '\u200bacme', '\u200bacme'],
    ['composes a base letter and its accent', 'CAFE\u0301', 'caf\u00e9'],
    ['puts combining marks into one order', 'a\u0301\u0323', '\u1ea1\u0301'],
    ['composes what becomes composable only in lower case', '\u03aa\u0301', '\u0390'],
    ['keeps compatibility forms apart', '\uff21\ufb01', '\uff41\ufb01'],
    ['turns the capital I with dot into i and a dot', '\u0130', 'i\u0307'],
    ['turns a decomposed capital I with dot into the same', 'I\u0307', 'i\u0307'],
    ['keeps the dotless i apart from i', '\u0131I', '\u0131i'],
    ['turns the capital sharp s into the small one', 'STRA\u1e9eE', 'stra\u00dfe'],
    ['turns the Kelvin sign into k', '\u212a', 'k'],
    ['turns the Ångström sign into å', '\u212b', '\u00e5'],
    ['gives a sigma at the end of a word its final form', 'ΟΔΟΣ', 'οδος'],
    ['gives a sigma within a word its usual form', 'ΣΙΣΥΦΟΣ-Α', 'σισυφος-α'],
    ['finds the end of the word after trimming', 'ΑΣ ', 'ας'],
  ])('%s', (_, sent, canonical) => {
    expect(canonicalIdentifier(sent)).toBe(canonical);
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = canonicalIdentifier(text);
        expect(canonicalIdentifier(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  it('does not depend on surrounding white space', () => {
    const space = fc.string({
      unit: fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u2028', '\u3000', '\ufeff'),
    });
    fc.assert(
      fc.property(space, anyText, space, (before, text, after) => {
        expect(canonicalIdentifier(before + text + after)).toBe(canonicalIdentifier(text));
      }),
    );
  });

  it('does not depend on the normalisation form that was sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(canonicalIdentifier(text.normalize('NFD'))).toBe(canonicalIdentifier(text));
      }),
    );
  });
});

describe('identifierText', () => {
  it.each([
    ['a text, trimmed but in its own case', ' Acme\u00a0', 'Acme'],
    ['white space as an empty text', ' \t', ''],
    ['an integer in decimal digits', 1200, '1200'],
    ['a negative integer with its sign', -7, '-7'],
    ['minus zero as zero', -0, '0'],
    ['the largest exact integer', Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ])('reads %s', (_, sent, text) => {
    expect(identifierText(sent)).toBe(text);
  });

  it.each([
    [2 ** 53],
    [1.5],
    [Number.POSITIVE_INFINITY],
    [true],
    [null],
    [undefined],
    [['a']],
    [{ id: 'a' }],
  ])('finds no identifier in %j', (sent) => {
    expect(identifierText(sent)).toBeUndefined();
  });
});
