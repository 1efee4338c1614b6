import { expect, it } from 'vitest';
import { presentationError } from './presentation-error';

const RULES = 'Must have 1 to 20 characters, without control characters.';

it('says that a text is too long, instead of all rules', () => {
  expect(presentationError(RULES, 'unit', ` ${'x'.repeat(21)} `)).toBe(
    'Too long: it has 21 characters, and can have 20.',
  );
  expect(presentationError(RULES, 'unit', '\u0007')).toBe(RULES);
  expect(presentationError(undefined, 'unit', 'x'.repeat(21))).toBeUndefined();
});
