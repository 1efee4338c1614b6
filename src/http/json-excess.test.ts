import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refuseExcess } from './json-excess.js';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const isRefused = (text: string) => {
  try {
    refuseExcess(Buffer.from(text));
    return false;
  } catch {
    return true;
  }
};

const nested = (depth: number, inner: unknown): unknown =>
  depth === 0 ? inner : nested(depth - 1, { '[': inner });

describe('refuseExcess', () => {
  it('refuses exactly the JSON that is nested deeper than 32 levels, whatever its strings hold', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', '}', ']', ':', 'a', 'é', '\n') });
    const value = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }), fc.dictionary(text, text));
    fc.assert(
      fc.property(fc.integer({ min: 28, max: 33 }), value, fc.boolean(), (depth, inner, pretty) => {
        const whole = nested(depth, inner);
        const json = pretty ? JSON.stringify(whole, null, 2) : JSON.stringify(whole);
        expect(isRefused(json)).toBe(depthOf(whole) > 32);
      }),
    );
  });

  it.each([
    [1_000, false],
    [1_001, true],
  ])('of an object with %i keys says %s', (count, refused) => {
    const keys = Object.fromEntries(Array.from({ length: count }, (_, i) => [`"${i}:{[`, ':']));
    expect(isRefused(JSON.stringify([{ a: 1 }, keys]))).toBe(refused);
  });

  it.each(['', '   ', '"', '"\\', '"\\"', ']]]][[[', '{"a":"b', 'no json', '\\"{'])(
    'leaves it to the parser that %j is no JSON',
    (text) => {
      expect(isRefused(text)).toBe(false);
    },
  );
});
