import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseSafeId } from './salesforce-id.js';

/** Published pairs of the two forms. */
const PUBLISHED = [
  ['001M000000qfPyS', '001M000000qfPySIAU'],
  ['0013600001ohPTp', '0013600001ohPTpAAM'],
  ['0019000000B98de', '0019000000B98deAAB'],
  ['a0D30000001n7Pi', 'a0D30000001n7PiEAI'],
  ['a0RE000000IJmcN', 'a0RE000000IJmcNMAT'],
  ['0F9E000000092w2', '0F9E000000092w2KAA'],
  ['00A000000000000', '00A000000000000EAA'],
  ['aBcDEfgHIJKLMNO', 'aBcDEfgHIJKLMNO025'],
] as const;

const character = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789');
const shortId = fc.string({ unit: character, minLength: 15, maxLength: 15 });
const longIdOf = (id: string) => caseSafeId(id) as string;

describe('a Salesforce id', () => {
  it.each(PUBLISHED)('of 15 characters, %s, gets its checksum', (short, long) => {
    expect(caseSafeId(short)).toBe(long);
  });

  it.each(PUBLISHED)('of 18 characters that begins with %s stays as it is', (_short, long) => {
    expect(caseSafeId(long)).toBe(long);
  });

  it('keeps its characters, and gets three', () => {
    fc.assert(
      fc.property(shortId, (id) => {
        expect(longIdOf(id).slice(0, 15)).toBe(id);
        expect(longIdOf(id).slice(15)).toMatch(/^[A-Z0-5]{3}$/);
      }),
    );
  });

  it('gets its case back, whatever another program did to it', () => {
    fc.assert(
      fc.property(shortId, fc.infiniteStream(fc.boolean()), (id, isUpper) => {
        const changed = longIdOf(id).replace(/./g, (letter) =>
          isUpper.next().value ? letter.toUpperCase() : letter.toLowerCase(),
        );
        expect(caseSafeId(changed)).toBe(longIdOf(id));
      }),
    );
  });

  it('differs without case from every id that differs only by case', () => {
    fc.assert(
      fc.property(shortId, fc.nat(14), (id, at) => {
        const letter = id.charAt(at);
        const swapped = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
        fc.pre(swapped !== letter);
        const other = id.slice(0, at) + swapped + id.slice(at + 1);
        expect(longIdOf(other).toLowerCase()).not.toBe(longIdOf(id).toLowerCase());
      }),
    );
  });
});

describe('no Salesforce id is', () => {
  it.each([
    ['an empty text', ''],
    ['a number', '4711'],
    ['a text of 14 characters', '001M000000qfPy'],
    ['a text of 16 characters', '001M000000qfPySI'],
    ['a text of 15 characters with others than letters and digits', '001M000000qf-yS'],
    ['a text with a letter that is not of ASCII', '001M000000qfPyſ'],
    ['a text with a line end', '001M000000qfPyS\n'],
    ['an id of 18 characters whose checksum asks for a digit in upper case', '001M000000qfPySIBU'],
    ['an id of 18 characters whose checksum has a 9', '001M000000qfPySIA9'],
  ])('%s', (_what, text) => {
    expect(caseSafeId(text)).toBeUndefined();
  });
});
