import type { Kysely } from 'kysely';
import type { JsonObject } from '../../domain/json.js';
import type { Row, ScanOptions } from '../schema/scan.js';
import type { Tables } from '../schema/tables.js';

/** The kinds of checks, in the order in which they are reported. */
export const CHECKS = ['file', 'checksums', 'accounts', 'history', 'indexed values', 'counts'] as const;
export type Check = (typeof CHECKS)[number];

export interface Problem {
  readonly check: Check;
  /** The name of the tenant, or its id if the tenant does not exist; null if the problem concerns no single tenant. */
  readonly tenant: string | null;
  readonly account: string | null;
  readonly problem: string;
}

/** Further problems are only counted: one defect may affect every account. */
const KEPT = 20;

/** How much was checked, and the problems that were found. */
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

  /** Adds the numbers and problems of another part. */
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

/** A page of consecutive accounts of one tenant, with a snapshot in which their other rows can be read. */
export interface AccountPage {
  readonly snapshot: Kysely<Tables>;
  readonly tenantId: number;
  readonly accounts: readonly Row<'account'>[];
  /** The fields of each account, including name and parent. */
  readonly fieldsOf: ReadonlyMap<string, JsonObject>;
  /** From after the last account of the previous page to the last account of this one, or to the end. */
  readonly range: ScanOptions;
}

/** Receives the problems of one tenant, and counts what was checked. */
export interface ProblemReporter {
  problem(check: Check, account: string | null, problem: string): void;
  checked(check: Check): void;
  /** How many problems were found. */
  found(check: Check): number;
}
