import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERASED, type FieldChanges } from '../../domain/account.js';
import type { JsonValue } from '../../domain/json.js';
import {
  blankLines,
  type Change,
  type ChangeSet,
  decodeLine,
  eraseLines,
  headOf,
  keepLines,
  linesOf,
  NUMBERS_PER_SET,
  setOf,
} from './change-set.js';
import { ChangeSetBuilder } from './change-set-builder.js';

const HEADER = { tenantId: 1, at: 2, requestId: 'r', senderId: 'k' };

function build(changes: readonly Change[]): readonly ChangeSet[] {
  let seq = 0;
  const builder = new ChangeSetBuilder(HEADER, () => {
    seq += NUMBERS_PER_SET;
    return seq;
  });
  let last = null;
  for (const change of changes) last = builder.add(change, last);
  return builder.finish();
}

const decode = ({ seq, entries }: Pick<ChangeSet, 'seq' | 'entries'>) =>
  Array.from(linesOf(seq, entries), (line) => decodeLine(line));

const change = (revision: number, changes: FieldChanges, kind: Change['kind'] = 'updated'): Change => ({
  accountId: 'acme',
  revision,
  kind,
  isErased: kind === 'deleted',
  changes,
});

const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.boolean(),
  fc.json().map((text) => JSON.parse(text)),
);
const present = value.filter((one) => one !== null && one !== ERASED) as fc.Arbitrary<JsonValue>;
const names = fc.string({ unit: 'binary', minLength: 1 }).filter((name) => name !== '__proto__');
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc
    .dictionary(names, present)
    .map((fields) =>
      change(
        1,
        Object.fromEntries(Object.entries(fields).map(([name, to]) => [name, [null, to]])),
        'created',
      ),
    ),
  fc
    .dictionary(names, fc.tuple(fc.option(present), fc.option(present)))
    .map((changes) => change(2, changes as FieldChanges)),
  fc
    .array(names)
    .map((all) => change(3, Object.fromEntries(all.map((name) => [name, [ERASED, null]])), 'deleted')),
);

describe('a change set', () => {
  it('returns the changes that were added, each with the place of the one before', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { minLength: 1, maxLength: 20 }), (changes) => {
        const [set] = build(changes) as [ChangeSet];
        const stored = decode(set);
        expect(stored.map(({ seq, place, previous, ...rest }) => rest)).toEqual(changes);
        expect(stored.map(({ seq }) => seq)).toEqual(changes.map((_, i) => 256 + i));
        const pointers = stored.map(({ seq, place }) => ({ seq, place }));
        expect(stored.map(({ previous }) => previous)).toEqual([null, ...pointers.slice(0, -1)]);
        const text = Buffer.from(set.entries).toString();
        for (const { place } of stored) expect(text === '' || set.entries[place]).toBe(10);
      }),
    );
  });

  it('hides all values of an erased change, and keeps the place of every line', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { minLength: 1, maxLength: 10 }), fc.nat(9), (changes, nth) => {
        const [set] = build(changes) as [ChangeSet];
        const before = decode(set);
        const chosen = before[nth % before.length] as (typeof before)[number];
        const entries = eraseLines(set.seq, set.entries, new Set([chosen.seq]));
        expect(entries.length).toBe(set.entries.length);
        const mark = (one: JsonValue) => (one === null ? null : ERASED);
        const erased = Object.entries(chosen.changes).map(([name, [from, to]]) => [
          name,
          [mark(from), mark(to)],
        ]);
        expect(decode({ seq: set.seq, entries })).toEqual(
          before.map((one) =>
            one === chosen ? { ...one, isErased: true, changes: Object.fromEntries(erased) } : one,
          ),
        );
      }),
    );
  });

  it('keeps the numbers of the changes that stay when others are removed', () => {
    const [set] = build(Array.from({ length: 10 }, (_, i) => change(i + 2, { n: [i, 'é'.repeat(i)] }))) as [
      ChangeSet,
    ];
    const all = decode(set);
    const some = new Set([258, 259, 264]);
    const blank = decode({ seq: set.seq, entries: blankLines(set.seq, set.entries, some) });
    expect(blank).toEqual(all.filter(({ seq }) => !some.has(seq)));
    const kept = keepLines(set.seq, set.entries, some);
    expect(kept.entries.length).toBeLessThan(set.entries.length / 2);
    expect(decode({ seq: set.seq, entries: kept.entries })).toEqual(
      all.filter(({ seq }) => some.has(seq)).map((one) => ({ ...one, place: kept.places.get(one.seq) })),
    );
    const again = keepLines(set.seq, kept.entries, new Set([259]));
    expect(decode({ seq: set.seq, entries: again.entries })).toMatchObject([{ seq: 259, revision: 5 }]);
    expect(headOf(Array.from(linesOf(256, again.entries))[0]?.text ?? '')).toMatchObject({
      accountId: 'acme',
    });
  });

  it('is closed at 256 changes, and a large change is alone in its set', () => {
    const many = build(Array.from({ length: 600 }, (_, i) => change(i + 2, { n: [i, i + 1] })));
    expect(many.map(({ seq, updated }) => [seq, updated])).toEqual([
      [256, 256],
      [512, 256],
      [768, 88],
    ]);
    const large = 'x'.repeat(300_000);
    const sets = build([
      change(2, { n: [1, 2] }),
      change(3, { n: [2, large] }),
      change(4, { n: [large, 3] }),
    ]);
    expect(sets.map(({ updated }) => updated)).toEqual([1, 1, 1]);
    expect(sets.flatMap(decode).map(({ previous }) => setOf(previous?.seq ?? 0))).toEqual([0, 256, 512]);
  });

  it('has a summary of its changes: kinds, accounts with each field, shapes of new values', () => {
    const [set] = build([
      change(1, { a: [null, 1], b: [null, true] }, 'created'),
      change(2, { a: [1, 'text'], b: [true, null] }),
      change(3, { a: [ERASED, null] }, 'deleted'),
      change(4, { c: [null, 1], ['n'.repeat(201)]: [null, 1] }, 'created'),
    ]) as [ChangeSet];
    expect({ ...set, entries: undefined }).toMatchObject({
      header: HEADER,
      created: 2,
      updated: 1,
      deleted: 1,
    });
    const fields: Record<string, [number, number]> = JSON.parse(set.fields);
    expect(Object.entries(fields).map(([name, [accounts]]) => [name, accounts])).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 1],
    ]);
    expect(fields.a?.[1]).not.toBe(fields.c?.[1]);
  });
});
