import { expect, it } from 'vitest';
import { copyOf, TextMemo } from './text-memo.js';

it('remembers a bounded number of short texts', () => {
  const memo = new TextMemo<number | null>();
  expect(memo.get('a')).toBeUndefined();
  memo.set('a', null);
  expect(memo.get('a')).toBeNull();
  memo.set('long'.repeat(51), 1);
  expect(memo.get('long'.repeat(51))).toBeUndefined();
  for (let number = 0; number < 10_000; number += 1) memo.set(`text ${number}`, number);
  const remembered = Array.from({ length: 10_000 }, (_, number) => memo.get(`text ${number}`));
  expect(remembered.filter((value) => value !== undefined)).toHaveLength(3_999);
  expect(remembered[3_998]).toBe(3_998);
});

it('copies a text of any characters', () => {
  const texts = ['', 'a', 'Ünïted €', '😀', '\ud83d', 'long'.repeat(10_000)];
  expect(texts.map(copyOf)).toEqual(texts);
});
