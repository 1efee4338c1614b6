import type { AttributeCheck } from './attribute-check';

/** As many as a single answer has. */
const MAX_EXAMPLES = 5;
const MAX_DISTINCT = 20;

export interface CheckSum extends Omit<AttributeCheck, 'next'> {
  /** Whether all accounts were looked at. */
  readonly isWhole: boolean;
}

/** What the answers about one part of the accounts after the other say together. */
export function addUpChecks(checks: readonly AttributeCheck[]): CheckSum {
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
    distinct: unite(checks.map(({ distinct }) => distinct)),
    isWhole: checks.at(-1)?.next === null,
  };
}

function unite(parts: readonly AttributeCheck['distinct'][]): readonly string[] | null {
  const texts = new Set<string>();
  for (const part of parts) {
    if (part === null) return null;
    for (const text of part) texts.add(text);
  }
  return texts.size > MAX_DISTINCT ? null : [...texts];
}
