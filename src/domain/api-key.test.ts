import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adoptKey, generateKey, hashKey, isMistyped, keyState, keyWeakness, SCOPES } from './api-key.js';

const KEY = 'acs_01234567_89ABCDEFGHIJKLMNOPQRSTUVWXYZabcdrd4yw9';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns these bytes over successive calls, then zeros. */
function source(bytes: Iterable<number>): (length: number) => Uint8Array {
  const rest = [...bytes];
  return (length) => Uint8Array.from({ length }, () => rest.shift() ?? 0);
}

const anyKey = fc.uint8Array({ minLength: 40, maxLength: 80 }).map((bytes) => generateKey(source(bytes)));

it('knows exactly these scopes', () => {
  expect(SCOPES).toEqual(['sync', 'read', 'admin']);
});

describe('a generated key', () => {
  it('is a prefix, an id, a secret and their checksum', () => {
    expect(generateKey(source(BASE62.slice(0, 40).split('').keys()))).toEqual({ id: '01234567', key: KEY });
  });

  it('skips the bytes that would favour some letters', () => {
    const even = [0, 61, 62, 247];
    expect(generateKey(source([248, ...even, 255, ...even])).id).toBe('0z0z0z0z');
  });

  it('has the documented form, names its id and is neither mistyped nor weak', () => {
    fc.assert(
      fc.property(anyKey, ({ id, key }) => {
        expect(key).toMatch(/^acs_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
        expect(key.split('_')[1]).toBe(id);
        expect([isMistyped(key), keyWeakness(key)]).toEqual([false, undefined]);
      }),
    );
  });
});

describe('isMistyped', () => {
  it('notices any one letter or digit that was changed after the prefix', () => {
    fc.assert(
      fc.property(anyKey, fc.nat(45), fc.constantFrom(...BASE62), ({ key }, index, replacement) => {
        const at = 4 + (index < 8 ? index : index + 1);
        fc.pre(key[at] !== replacement);
        expect(isMistyped(key.slice(0, at) + replacement + key.slice(at + 1))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('notices two neighbours that were swapped', () => {
    expect(isMistyped(KEY.replace('_89', '_98'))).toBe(true);
  });

  it.each([
    ['', 'an empty text'],
    [KEY.replace('acs_', 'abc_'), 'another prefix'],
    [KEY.slice(0, -1), 'a key that lost its end'],
    [`${KEY}0`, 'a key with one character more'],
    [KEY.replace('89', '8-'), 'a character outside base 62'],
    [`${KEY}\n`, 'a line break at the end'],
  ])('is false for %j: %s', (key) => {
    expect(isMistyped(key)).toBe(false);
  });
});

describe('hashKey', () => {
  it('is the SHA-256 of the key in hexadecimal', () => {
    expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('has 64 hexadecimal digits for any text', () => {
    fc.assert(
      fc.property(fc.string(), (key) => {
        expect(hashKey(key)).toMatch(/^[0-9a-f]{64}$/);
      }),
    );
  });
});

describe('a key that the operator provides', () => {
  it.each([
    ['is one character short', 'k'.repeat(31), 'must have at least 32 characters'],
    ['has a space', `${'k'.repeat(16)} ${'k'.repeat(16)}`, 'must be printable ASCII without white space'],
    ['ends with a line break', `${'k'.repeat(32)}\n`, 'must be printable ASCII without white space'],
    ['does not fit into a header', 'ü'.repeat(32), 'must be printable ASCII without white space'],
    [
      'was copied from this service with a mistake',
      KEY.replace('rd4yw9', 'rd4yw8'),
      'looks like a key of this service, but its checksum is wrong',
    ],
  ])('is rejected if it %s', (_, key, weakness) => {
    expect(keyWeakness(key)).toBe(weakness);
  });

  it.each([['k'.repeat(32)], ['!"#$%&~'.repeat(5)], [KEY], [KEY.replace('acs_', 'ABC_')]])(
    'is accepted if it is %s',
    (key) => {
      expect(keyWeakness(key)).toBeUndefined();
    },
  );

  it("keeps its id if it has this service's form", () => {
    expect(adoptKey(KEY, source([]))).toEqual({ id: '01234567', key: KEY });
  });

  it('gets a generated id otherwise', () => {
    const key = 'k'.repeat(40);
    expect(adoptKey(key, source([10, 11, 12, 13, 14, 15, 16, 17]))).toEqual({ id: 'ABCDEFGH', key });
  });
});

describe('keyState', () => {
  it.each([
    ['live', { revokedAt: null, expiresAt: null }],
    ['live', { revokedAt: null, expiresAt: 101 }],
    ['expired', { revokedAt: null, expiresAt: 100 }],
    ['revoked', { revokedAt: 50, expiresAt: null }],
    ['revoked', { revokedAt: 50, expiresAt: 60 }],
  ])('is %s at 100 for %j', (state, life) => {
    expect(keyState(life, 100)).toBe(state);
  });
});
