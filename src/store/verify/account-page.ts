import type { Kysely } from 'kysely';
import type { JsonObject } from '../../domain/json.js';
import type { Row, ScanOptions } from '../scan.js';
import type { Tables } from '../tables.js';
import type { Check } from './problems.js';

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
