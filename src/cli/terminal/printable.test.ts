import { expect, it } from 'vitest';
import { printable, printableLines } from './printable.js';

const HOSTILE = 'a\u001b]0;title\u0007\tb\u009b31m\u202e\u2028c\nd';

it('shows what would steer a terminal instead of obeying it', () => {
  expect(printable(HOSTILE)).toBe('a\\u001b]0;title\\u0007\\u0009b\\u009b31m\\u202e\\u2028c\\u000ad');
});

it('leaves lines as they are where there are several', () => {
  expect(printableLines(HOSTILE)).toBe('a\\u001b]0;title\\u0007\\u0009b\\u009b31m\\u202e\\u2028c\nd');
});
