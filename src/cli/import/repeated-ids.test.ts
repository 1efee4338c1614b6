import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalIdentifier } from '../../domain/identifier.js';
import { RepeatedIds } from './repeated-ids.js';

/** The ids of a file, of which the first is in line 2. */
function idsOf(texts: readonly string[]): RepeatedIds {
  const ids = new RepeatedIds();
  for (const [at, text] of texts.entries()) ids.add(text, at + 2);
  return ids;
}

function found(texts: readonly string[]) {
  const { same, otherSpelling, isFull } = idsOf(texts);
  return { same: { ...same }, otherSpelling: { ...otherSpelling }, isFull };
}

const NONE = { count: 0, examples: [] };

describe('rows with ids of earlier rows', () => {
  it('are none among different ids, or without ids', () => {
    expect(found(['acme', 'acme-2', 'emca', '', ' ', '', '0', '00'])).toEqual({
      same: NONE,
      otherSpelling: NONE,
      isFull: false,
    });
  });

  it('are counted by the line of the first row, with three examples', () => {
    expect(found(['acme', 'globex', ' acme ', 'globex', 'acme', 'acme'])).toEqual({
      same: {
        count: 4,
        examples: [
          { id: 'acme', line: 4, firstLine: 2 },
          { id: 'globex', line: 5, firstLine: 3 },
          { id: 'acme', line: 6, firstLine: 2 },
        ],
      },
      otherSpelling: NONE,
      isFull: false,
    });
  });

  it.each([
    ['case', 'Acme', 'aCME'],
    ['Unicode form', 'Caf\u00e9', 'cafe\u0301'],
    ['case of letters that compose', '\u03aa\u0301', '\u0390'],
  ])('are counted apart if they differ by %s', (_what, first, other) => {
    expect(found([first, other, first])).toEqual({
      same: { count: 1, examples: [{ id: first, line: 4, firstLine: 2 }] },
      otherSpelling: { count: 1, examples: [{ id: other, line: 3, firstLine: 2 }] },
      isFull: false,
    });
  });

  it('are found among any ids', () => {
    const id = fc.oneof(
      fc.constantFrom('a', 'A', 'b', ' a', 'é', 'e\u0301', 'É'),
      fc.string(),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(fc.array(id, { maxLength: 60 }), (texts) => {
        const firsts = new Map<string, string>();
        const expected = { same: 0, otherSpelling: 0 };
        for (const text of texts.map((each) => each.trim()).filter((each) => each !== '')) {
          const canonical = canonicalIdentifier(text);
          const first = firsts.get(canonical);
          if (first === undefined) firsts.set(canonical, text);
          else expected[first === text ? 'same' : 'otherSpelling'] += 1;
        }
        const { same, otherSpelling } = idsOf(texts);
        expect({ same: same.count, otherSpelling: otherSpelling.count }).toEqual(expected);
      }),
    );
  });
});

it('among very many ids, all repeated ones are found, and no others', () => {
  const count = 300_000;
  const ids = new RepeatedIds();
  for (let number = 0; number < count; number += 1) ids.add(`account-${number}`, number + 2);
  expect([ids.same.count, ids.otherSpelling.count]).toEqual([0, 0]);
  for (let number = 0; number < count; number += 7) ids.add(`Account-${number}`, count + number);
  for (let number = 0; number < count; number += 1) ids.add(`account-${number}`, 2 * count + number);
  const other = Math.ceil(count / 7);
  expect(ids.same.count + ids.otherSpelling.count).toBe(count + other);
  // 16 bits tell spellings apart, so that very few count as the same.
  expect(ids.otherSpelling.count).toBeGreaterThan(other - 10);
  expect(ids.otherSpelling.count).toBeLessThanOrEqual(other);
  expect(ids.otherSpelling.examples[2]).toEqual({ id: 'Account-14', line: count + 14, firstLine: 16 });
});

it('a very long id takes linear time', () => {
  const long = 'é'.repeat(5_000_000);
  expect(found([long, long]).same.count).toBe(1);
});
