import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonValue, jsonEqual } from './json.js';

const copy = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value));

/** Small enough that two of them are often equal, or differ in one place only. */
const { value: small } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, -0, 1, '', '0', 'a'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'toString', 'length'), tie('value'), { maxKeys: 2 }),
  ),
}));

describe('jsonEqual', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['objects with keys in another order', { a: 1, b: [2] }, { b: [2], a: 1 }],
    ['zero and minus zero', [0], [-0]],
    ['two empty objects', {}, {}],
  ])('is true for %s', (_, a, b) => {
    expect(jsonEqual(a, b)).toBe(true);
  });

  it.each<[string, JsonValue, JsonValue]>([
    ['an array and an object with its indices', ['a'], { 0: 'a' }],
    ['an empty array and an empty object', [], {}],
    ['arrays in another order', [1, 2], [2, 1]],
    ['an array and its beginning', [1, 2], [1]],
    ['a number and its text', 1, '1'],
    ['null and an empty object', null, {}],
    ['null and false', null, false],
    ['a key with null and another key with null', { a: null }, { b: null }],
    ['a key with null and no key', { a: null }, {}],
    ['an own key and an inherited one', { toString: null }, { a: null }],
    ['a composed and a decomposed letter', '\u00e9', 'e\u0301'],
  ])('is false for %s, in both orders', (_, a, b) => {
    expect([jsonEqual(a, b), jsonEqual(b, a)]).toEqual([false, false]);
  });

  it('agrees with a comparison after serialising', () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(small, small), fc.tuple(fc.jsonValue(), fc.jsonValue())), ([a, b]) => {
        expect(jsonEqual(a as JsonValue, b as JsonValue)).toBe(isDeepStrictEqual(copy(a), copy(b)));
      }),
      { numRuns: 2000 },
    );
  });

  it('is true for any value and its copy with reversed keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonEqual(value as JsonValue, withKeysReversed(copy(value)))).toBe(true);
      }),
    );
  });
});

describe('isJsonObject', () => {
  it.each([[{}], [{ a: 1 }], [Object.create(null)]])('is true for %j', (value) => {
    expect(isJsonObject(value)).toBe(true);
  });

  it.each([[null], [undefined], [[]], ['{}'], [1], [true]])('is false for %j', (value) => {
    expect(isJsonObject(value)).toBe(false);
  });
});

function withKeysReversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, withKeysReversed(inner)]),
  );
}
