import type { Attribute, Attributes } from '@account-sync/client';

export type UndeclaredField = Attributes['undeclared'][number];

/** Accepted values of each type. */
export const TYPE_DESCRIPTIONS: Readonly<Record<Attribute['type'], string>> = {
  text: 'Text of up to 65,535 characters.',
  integer: 'Whole numbers, also as text: 12 or "12".',
  decimal: 'Numbers, also as text: 12.5 or "12.5".',
  boolean: 'Yes or no: true, false, 1 or 0, also as text.',
  date: 'A date, such as 2027-01-31.',
  datetime: 'A date and time, such as 2027-01-31T09:00:00Z.',
  choice: 'Exactly one of the declared texts.',
};

export function describeGuess(guess: UndeclaredField['guess']): string {
  if (guess === 'json') return 'has arrays or objects, which fit no type';
  // The guess is also text if only some of the values are texts.
  return guess === 'text' ? 'has texts, or values of several types' : `probably ${guess}`;
}

/** The same rule as on the server, so that the console offers no declaration that the server would reject. */
export function isDeclarable(name: string): boolean {
  return /^custom_[\p{L}\p{N}_.-]{1,100}$/u.test(name);
}

export const NAME_RULE =
  'The name of an attribute starts with custom_, followed by up to 100 letters, digits, underscores, dots or hyphens.';
