import { describe, expect, it } from 'vitest';
import { FailureLimit } from './failure-limit.js';

const MINUTE = 60_000;

function limited({ burst = 3, maxKeys = 100 } = {}) {
  const clock = { now: 1_000 };
  return { clock, limit: new FailureLimit({ elapsed: () => clock.now, burst, maxKeys }) };
}

const countAll = (limit: FailureLimit, key: string, times: number) =>
  Array.from({ length: times }, () => limit.count(key));

describe('FailureLimit', () => {
  it('allows some at once, then one a minute, and says how long to wait', () => {
    const { clock, limit } = limited();
    expect(countAll(limit, 'a', 5)).toEqual([0, 0, 0, 60, 60]);
    clock.now += 15_001;
    expect(limit.count('a')).toBe(45);
    clock.now += 44_999;
    expect(countAll(limit, 'a', 2)).toEqual([0, 60]);
    clock.now += 2 * MINUTE;
    expect(countAll(limit, 'a', 3)).toEqual([0, 0, 60]);
  });

  it('does not count what is rejected, and never allows more than the burst at once', () => {
    const { clock, limit } = limited();
    countAll(limit, 'a', 1_000);
    clock.now += MINUTE;
    expect(countAll(limit, 'a', 2)).toEqual([0, 60]);
    clock.now += 10_000 * MINUTE;
    expect(countAll(limit, 'a', 4)).toEqual([0, 0, 0, 60]);
  });

  it('counts each key for itself, also names of prototypes', () => {
    const { limit } = limited();
    for (const key of ['a', 'b', '', '__proto__', 'constructor'])
      expect(countAll(limit, key, 4)).toEqual([0, 0, 0, 60]);
  });

  it('takes back a single count, and nothing of keys without one', () => {
    const { clock, limit } = limited();
    countAll(limit, 'a', 3);
    limit.uncount('a');
    limit.uncount('unknown');
    expect(countAll(limit, 'a', 2)).toEqual([0, 60]);
    expect(countAll(limit, 'unknown', 4)).toEqual([0, 0, 0, 60]);
    clock.now += 100 * MINUTE;
    limit.uncount('a');
    expect(countAll(limit, 'a', 4)).toEqual([0, 0, 0, 60]);
  });

  it('forgets the keys whose last failure is oldest, beyond its memory', () => {
    const { limit } = limited({ burst: 1, maxKeys: 3 });
    for (const key of ['a', 'b', 'c']) expect(limit.count(key)).toBe(0);
    expect(limit.count('a')).toBe(60);
    expect(limit.count('d')).toBe(0);
    expect(['b', 'c', 'd'].map((key) => limit.count(key))).toEqual([60, 60, 60]);
    expect(limit.count('a')).toBe(0);
  });
});
