import type { Attribute, Attributes } from '@account-sync/client';

export type UndeclaredField = Attributes['undeclared'][number];

/** What fits each type. */
export const TYPE_WORDS: Readonly<Record<Attribute['type'], string>> = {
  text: 'Any text of up to 65,535 characters.',
  integer: 'Whole numbers, also written as text: 12 or "12".',
  decimal: 'Numbers, also written as text: 12.5 or "12.5".',
  boolean: 'Yes or no: true, false, 1 or 0, also written as text.',
  date: 'A day, written like 2027-01-31.',
  datetime: 'A moment, written like 2027-01-31T09:00:00Z.',
  choice: 'One of a few texts, to the letter.',
};

export function guessWords(guess: UndeclaredField['guess']): string {
  if (guess === 'json') return 'holds lists or objects, which fit no type';
  // Also where one value of many is a text.
  return guess === 'text' ? 'holds texts, or values of several types' : `looks like ${guess}`;
}

/** As the server has it; known here, too, so that nothing is offered that it would refuse. */
export function isDeclarable(name: string): boolean {
  return /^custom_[\p{L}\p{N}_.-]{1,100}$/u.test(name);
}

export const NAME_RULE =
  'Names of attributes begin with custom_, followed by up to 100 letters, digits, underscores, dots or hyphens.';
