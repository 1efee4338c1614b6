import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkJsonLimits } from './json-limits.js';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const isRejected = (text: string) => {
  try {
    checkJsonLimits(Buffer.from(text), 10_000_000);
    return false;
  } catch {
    return true;
  }
};

const nested = (depth: number, inner: unknown): unknown =>
  depth === 0 ? inner : nested(depth - 1, { '[': inner });

describe('checkJsonLimits', () => {
  it('rejects exactly the JSON that is nested deeper than 32 levels, for any strings', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', '}', ']', ':', 'a', 'é', '\n') });
    const value = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }), fc.dictionary(text, text));
    fc.assert(
      fc.property(fc.integer({ min: 28, max: 33 }), value, fc.boolean(), (depth, inner, pretty) => {
        const whole = nested(depth, inner);
        const json = pretty ? JSON.stringify(whole, null, 2) : JSON.stringify(whole);
        expect(isRejected(json)).toBe(depthOf(whole) > 32);
      }),
    );
  });

  it.each([
    [1_000, false],
    [1_001, true],
  ])('with %i keys in an object, rejects: %s', (count, rejected) => {
    const keys = Object.fromEntries(Array.from({ length: count }, (_, i) => [`"${i}:{[`, ':']));
    const json = JSON.stringify([{ a: 1 }, keys]);
    expect(isRejected(json)).toBe(rejected);
  });

  it.each([
    [1_000_000, false],
    [1_000_001, true],
  ])('with %i values in a body, rejects: %s', (count, rejected) => {
    const json = `{"a,,":"x,y","b":[${Array(count).fill(1).join()}]}`;
    expect(isRejected(json)).toBe(rejected);
  });

  it.each(['', '   ', '"', '"\\', '"\\"', ']]]][[[', '{"a":"b', 'no json', '\\"{'])(
    'leaves invalid JSON to the parser: %j',
    (text) => {
      expect(isRejected(text)).toBe(false);
    },
  );
});
