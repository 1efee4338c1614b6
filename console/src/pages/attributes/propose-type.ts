import type { CheckTotals } from '../../api/sum-checks';
import type { UndeclaredField } from './type-descriptions';

/** Share of values that must fit. The other 10 % allow for mistakes of single senders. */
const LARGE_MAJORITY = 0.9;

/** Most specific first. 0 and 1 also fit a boolean, but count as numbers unless other values are booleans. */
const BY_SPECIFICITY = ['integer', 'decimal', 'boolean', 'date', 'datetime', 'text'] as const;

export type ProposedType = (typeof BY_SPECIFICITY)[number];

/** The most specific type that 90 % of the stored values fit. Otherwise the server's guess. */
export function proposeType({ guess }: UndeclaredField, { values, fits }: CheckTotals): ProposedType {
  const isMajority = (count: number) => values > 0 && count >= LARGE_MAJORITY * values;
  return BY_SPECIFICITY.find((type) => isMajority(fits[type])) ?? guessedType(guess);
}

export function guessedType(guess: UndeclaredField['guess']): ProposedType {
  return guess === 'json' ? 'text' : guess;
}

/** Whether a few texts, each used at least twice on average, make up 90 % of the values. */
export function isLikelyChoice({ values, fits, distinct }: CheckTotals): boolean {
  return distinct !== null && distinct.length * 2 <= fits.text && fits.text >= LARGE_MAJORITY * values;
}
