import type { CheckSum } from '../../api/add-up-checks';
import type { UndeclaredField } from './type-words';

/** Of ten values, so many have to fit: one sender's mistakes do not decide for all. */
const LARGE_MAJORITY = 0.9;

/** The most specific first; 0 and 1 fit a boolean, too, but are numbers where nothing says otherwise. */
const BY_PRECISION = ['integer', 'decimal', 'boolean', 'date', 'datetime', 'text'] as const;

export type ProposedType = (typeof BY_PRECISION)[number];

/** The type that nearly all stored values fit; where none is, what the field was taken for as it came. */
export function proposeType({ guess }: UndeclaredField, { values, fits }: CheckSum): ProposedType {
  const isLarge = (count: number) => values > 0 && count >= LARGE_MAJORITY * values;
  return BY_PRECISION.find((type) => isLarge(fits[type])) ?? guessedType(guess);
}

export function guessedType(guess: UndeclaredField['guess']): ProposedType {
  return guess === 'json' ? 'text' : guess;
}

/** Few texts that come again and again, and hardly anything else: they are likely to be all there are. */
export function isLikelyChoice({ values, fits, distinct }: CheckSum): boolean {
  return distinct !== null && distinct.length * 2 <= fits.text && fits.text >= LARGE_MAJORITY * values;
}
