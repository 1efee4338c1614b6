import type { Kysely } from 'kysely';
import type { JsonObject } from '../../domain/json.js';
import type { Row, ScanOptions } from '../schema/scan.js';
import type { Tables } from '../schema/tables.js';

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

/** Accounts of one tenant that follow one another, and all else between them, as they were at one moment. */
export interface AccountPage {
  readonly snapshot: Kysely<Tables>;
  readonly tenantId: number;
  readonly accounts: readonly Row<'account'>[];
  /** Of each account, name and parent included. */
  readonly fieldsOf: ReadonlyMap<string, JsonObject>;
  /** From behind the account before the first to the last, or to the end. */
  readonly range: ScanOptions;
}

/** Who is told what is wrong, and how much was looked at. */
export interface Finder {
  found(check: Check, account: string | null, problem: string): void;
  looked(check: Check): void;
}
