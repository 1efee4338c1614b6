import { describe, expect, it } from 'vitest';
import { isLate, isSourceName, nextExpected, type Source, sourceNameFor } from './source.js';

describe('the name of a source', () => {
  it.each([
    ['crm', 'crm'],
    ['Salesforce (EU)', 'salesforce-eu'],
    ['Größe & Länge', 'gro-e-lange'],
    ['  --x--  ', 'x'],
    ['', 'default'],
    ['日本', 'default'],
    ['a'.repeat(80), 'a'.repeat(63)],
    [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
  ])('from the label %j is %s', (label, name) => {
    expect(sourceNameFor(label)).toBe(name);
    expect(isSourceName(name)).toBe(true);
  });

  it.each(['', '-a', 'A', 'a b', 'a'.repeat(64), 'a_b'])('cannot be %j', (name) => {
    expect(isSourceName(name)).toBe(false);
  });
});

const HOUR = 3_600_000;
const source: Source = {
  name: 'crm',
  label: 'Salesforce',
  expectEveryMs: 24 * HOUR,
  graceMs: 2 * HOUR,
  expectedSince: 100 * HOUR,
  trackedSince: null,
  lastFinishedAt: null,
  createdAt: 0,
};

describe('a source', () => {
  it('that is not expected is never late', () => {
    const free = { ...source, expectEveryMs: null, expectedSince: null };
    expect(nextExpected(free)).toBeUndefined();
    expect(isLate(free, Number.MAX_SAFE_INTEGER)).toBe(false);
  });

  it('is expected one interval after it is first expected', () => {
    expect(nextExpected(source)).toEqual({ at: 124 * HOUR, lateAt: 126 * HOUR });
    expect(isLate(source, 126 * HOUR)).toBe(false);
    expect(isLate(source, 126 * HOUR + 1)).toBe(true);
  });

  it('is expected one interval after its last run', () => {
    const heard = { ...source, lastFinishedAt: 125 * HOUR };
    expect(nextExpected(heard)?.at).toBe(149 * HOUR);
    expect(isLate(heard, 127 * HOUR)).toBe(false);
  });

  it('that becomes expected long after its last run gets a whole interval', () => {
    expect(nextExpected({ ...source, lastFinishedAt: 1 })?.at).toBe(124 * HOUR);
  });
});
