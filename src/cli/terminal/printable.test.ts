import { expect, it } from 'vitest';
import { printable, printableLines } from './printable.js';

const HOSTILE = 'a\u001b]0;title\u0007\tb\u009b31m\u202e\u2028c\nd';

it('escapes control characters and direction marks', () => {
  expect(printable(HOSTILE)).toBe('a\\u001b]0;title\\u0007\\u0009b\\u009b31m\\u202e\\u2028c\\u000ad');
});

it('keeps line feeds in text of several lines', () => {
  expect(printableLines(HOSTILE)).toBe('a\\u001b]0;title\\u0007\\u0009b\\u009b31m\\u202e\\u2028c\nd');
});
