import type { Attribute, Json } from '@account-sync/client';

/** The same limits as the API has for one response. */
const MAX_EXAMPLES = 5;
const MAX_DISTINCT = 20;

/** Check of one part of the accounts. */
export interface AttributeCheck {
  readonly looked_at: number;
  readonly values: number;
  readonly unfit: number;
  /** Number of values that each type would accept. */
  readonly fits: Readonly<Record<Exclude<Attribute['type'], 'choice'>, number>>;
  readonly examples: readonly Json[];
  readonly unfit_examples: readonly { readonly account_id: string; readonly value: Json }[];
  readonly distinct: readonly string[] | null;
  readonly next: string | null;
}

export interface CheckTotals extends Omit<AttributeCheck, 'next'> {
  /** Whether all accounts were checked. */
  readonly isComplete: boolean;
}

/** Adds the responses for successive parts of the accounts. */
export function sumChecks(checks: readonly AttributeCheck[]): CheckTotals {
  const total = (count: (check: AttributeCheck) => number) =>
    checks.reduce((sum, check) => sum + count(check), 0);
  const examples = new Map(
    checks.flatMap((check) => check.examples).map((value) => [JSON.stringify(value), value]),
  );
  return {
    looked_at: total((check) => check.looked_at),
    values: total((check) => check.values),
    unfit: total((check) => check.unfit),
    fits: {
      text: total(({ fits }) => fits.text),
      integer: total(({ fits }) => fits.integer),
      decimal: total(({ fits }) => fits.decimal),
      boolean: total(({ fits }) => fits.boolean),
      date: total(({ fits }) => fits.date),
      datetime: total(({ fits }) => fits.datetime),
    },
    examples: [...examples.values()].slice(0, MAX_EXAMPLES),
    unfit_examples: checks.flatMap((check) => check.unfit_examples).slice(0, MAX_EXAMPLES),
    distinct: union(checks.map(({ distinct }) => distinct)),
    isComplete: checks.at(-1)?.next === null,
  };
}

function union(parts: readonly AttributeCheck['distinct'][]): readonly string[] | null {
  const texts = new Set<string>();
  for (const part of parts) {
    if (part === null) return null;
    for (const text of part) texts.add(text);
  }
  return texts.size > MAX_DISTINCT ? null : [...texts];
}
