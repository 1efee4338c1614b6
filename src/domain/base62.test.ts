import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base62, base62Digits } from './base62.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns these bytes over successive calls, then zeros. */
function source(bytes: Iterable<number>): (length: number) => Uint8Array {
  const rest = [...bytes];
  return (length) => Uint8Array.from({ length }, () => rest.shift() ?? 0);
}

describe('base62', () => {
  it('maps the bytes below 248 to the 62 characters, each four times', () => {
    expect(base62(source(Array.from({ length: 248 }, (_, byte) => byte)), 248)).toBe(ALPHABET.repeat(4));
  });

  it('skips the bytes that would favour some characters, and asks for more', () => {
    expect(base62(source([248, 1, 255, 250, 2, 249, 3]), 3)).toBe('123');
    expect(base62(source([248, 249, 250, 251, 252, 253, 254, 255, 61]), 1)).toBe('z');
  });

  it('is empty without a length, whatever the source', () => {
    expect(base62(source([1, 2, 3]), 0)).toBe('');
  });

  it('has the length that was asked for, and only the characters of the bytes below 248, in their order', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(40), (bytes, length) => {
        const expected = [...bytes].filter((byte) => byte < 248).map((byte) => ALPHABET[byte % 62]);
        // After the bytes, the source returns zeros.
        const filled = expected.join('').padEnd(length, '0').slice(0, length);
        expect(base62(source(bytes), length)).toBe(filled);
      }),
    );
  });
});

describe('base62Digits', () => {
  it.each([
    [0, 6, '000000'],
    [61, 2, 'z0'],
    [62, 2, '01'],
    [62 * 62 - 1, 2, 'zz'],
    [62 * 62, 2, '00'],
    [2 ** 48 - 1, 6, '7aANXW'],
  ])('writes %i with %i digits, lowest first', (number, length, digits) => {
    expect(base62Digits(number, length)).toBe(digits);
  });

  it('is the number modulo a power of 62', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 8 }), (number, length) => {
        const digits = base62Digits(number, length);
        expect(digits).toHaveLength(length);
        const value = [...digits].reduceRight(
          (sum, digit) => sum * 62n + BigInt(ALPHABET.indexOf(digit)),
          0n,
        );
        expect(value).toBe(BigInt(number) % 62n ** BigInt(length));
      }),
    );
  });
});
