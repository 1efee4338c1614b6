/** What is looked at, in the order in which it is told. */
export const CHECKS = ['file', 'checksums', 'accounts', 'history', 'indexed values', 'counts'] as const;
export type Check = (typeof CHECKS)[number];

export interface Problem {
  readonly check: Check;
  /** Its name, or its number where it has none any more; null where the problem is nobody's. */
  readonly tenant: string | null;
  readonly account: string | null;
  readonly problem: string;
}

/** More are only counted: one mistake may be in every account. */
const KEPT = 20;

/** How much was looked at, and what is wrong with it. */
export class Problems {
  readonly first: Problem[] = [];
  readonly #found = new Map<Check, number>();
  readonly #checked = new Map<Check, number>();

  count(check: Check, times = 1): void {
    this.#checked.set(check, this.checked(check) + times);
  }

  add(problem: Problem): void {
    if (this.first.length < KEPT) this.first.push(problem);
    this.#found.set(problem.check, this.found(problem.check) + 1);
  }

  /** Takes over what others have found. */
  addAll(others: Problems): void {
    this.first.push(...others.first.slice(0, KEPT - this.first.length));
    for (const check of CHECKS) {
      this.count(check, others.checked(check));
      this.#found.set(check, this.found(check) + others.found(check));
    }
  }

  checked(check: Check): number {
    return this.#checked.get(check) ?? 0;
  }

  found(check: Check): number {
    return this.#found.get(check) ?? 0;
  }

  get total(): number {
    return CHECKS.reduce((sum, check) => sum + this.found(check), 0);
  }
}
