import { describe, expect, it, vi } from 'vitest';
import { copyOf, TextMemo } from './text-memo.js';

describe('TextMemo', () => {
  it('computes the value of a text once, also null', () => {
    const memo = new TextMemo<string | null>();
    const compute = vi.fn((text: string) => (text === '' ? null : `${text}!`));
    const texts = ['a', '', 'a', '', 'ä\ud800'];
    expect(texts.map((text) => memo.get(text, compute))).toEqual(['a!', null, 'a!', null, 'ä\ud800!']);
    expect(compute.mock.calls).toEqual([['a'], [''], ['ä\ud800']]);
  });

  it('remembers 4,000 texts of at most 200 characters; others are computed each time', () => {
    const memo = new TextMemo<number>();
    const compute = vi.fn((text: string) => text.length);
    const long = 'x'.repeat(201);
    for (let i = 0; i < 4_001; i += 1) memo.get(`text ${i}`, compute);
    compute.mockClear();
    for (const text of ['text 0', 'text 3999', 'text 4000', 'text 4000', long, long]) memo.get(text, compute);
    expect(compute.mock.calls).toEqual([['text 4000'], ['text 4000'], [long], [long]]);
  });
});

it.each(['', 'acme', 'Müller GmbH, Köln', '\ud800 half a pair', '"quoted"\n'])(
  'a copy of %j is the same text',
  (text) => {
    expect(copyOf(text)).toBe(text);
  },
);
