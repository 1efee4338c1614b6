import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PendingStates } from './pending-states.js';

describe('a state', () => {
  it('waits for the records before it', () => {
    const states = new PendingStates();
    states.add(2, 'after 2');
    expect([states.take(1), states.take(2), states.take(2)]).toEqual([undefined, 'after 2', undefined]);
  });

  it('before all records waits for none', () => {
    const states = new PendingStates();
    states.add(0, 'start');
    expect(states.take(0)).toBe('start');
  });

  it('replaces those before it, once it is covered', () => {
    const states = new PendingStates();
    for (const position of [1, 2, 2, 5]) states.add(position, `after ${position}`);
    expect([states.take(4), states.take(4), states.take(9)]).toEqual(['after 2', undefined, 'after 5']);
  });
});

it('never runs ahead of the settled records, never goes back, and ends with the last', () => {
  const step = fc.record({ records: fc.nat(3), hasState: fc.boolean(), settled: fc.nat(4) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const states = new PendingStates();
      let position = 0;
      let settled = 0;
      let latest = -1;
      let taken = -1;
      for (const { records, hasState, settled: more } of steps) {
        position += records;
        if (hasState) {
          states.add(position, String(position));
          latest = position;
        }
        settled = Math.min(position, settled + more);
        const state = states.take(settled);
        if (state === undefined) continue;
        expect(Number(state)).toBeLessThanOrEqual(settled);
        expect(Number(state)).toBeGreaterThanOrEqual(taken);
        taken = Number(state);
      }
      const last = states.take(position);
      expect(last === undefined ? taken : Number(last)).toBe(latest);
    }),
  );
});

it('keeps few of the states that wait', () => {
  const states = new PendingStates();
  for (let position = 1; position <= 1_000; position += 1) states.add(position, `after ${position}`);
  expect([states.take(15), states.take(999), states.take(1_000)]).toEqual([
    'after 15',
    undefined,
    'after 1000',
  ]);
});
