import type { Kysely } from 'kysely';
import type { FieldChanges } from '../../domain/account.js';
import { ChangeFeed } from '../changes/change-feed.js';
import { MAX_NAMES } from '../changes/field-usage.js';
import type { Dialect } from '../dialect.js';
import { countKind, noChanges, type StoredChange } from '../schema/change-set.js';
import { MAX_NAME_LENGTH } from '../schema/change-set-builder.js';
import { BEGINNING, comparePositions, type Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';

/**
 * Computes what the statistics of a tenant should be: its accounts and fields as stored now, minus the changes after
 * the position up to which the statistics have counted. Also counts the changes that sets store, and those that are
 * reached from their accounts, both up to the end of the feed at the start. So servers may write and count meanwhile.
 */
export class TenantCounts {
  readonly #countedTo: Position;
  readonly #until: Position;
  readonly #stored: Stored;
  #accounts = 0;
  #archived = 0;
  readonly #fields = new Map<string, number>();
  #storedChanges = 0;
  #reachedChanges = 0;

  private constructor(countedTo: Position, until: Position, stored: Stored) {
    this.#countedTo = countedTo;
    this.#until = until;
    this.#stored = stored;
  }

  static async read(snapshot: Kysely<Tables>, dialect: Dialect, tenantId: number): Promise<TenantCounts> {
    const until = await new ChangeFeed(snapshot, dialect).end(tenantId);
    const counted = await snapshot
      .selectFrom('tally')
      .select(['turn as commitOrder', 'seq', 'accounts', 'archived'])
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
    const uses = await snapshot
      .selectFrom('field_use')
      .select(['name', 'accounts'])
      .where('tenant_id', '=', tenantId)
      .execute();
    const fields = new Map(uses.map(({ name, accounts }) => [name, accounts]));
    const { accounts = 0, archived = 0 } = counted ?? {};
    return new TenantCounts(counted ?? BEGINNING, until, { accounts, archived, fields });
  }

  addAccount(fields: Iterable<string>, isArchived: boolean): void {
    if (isArchived) this.#archived += 1;
    else this.#accounts += 1;
    for (const name of fields) this.#add(name, 1);
  }

  isCounted(set: Position): boolean {
    return comparePositions(set, this.#countedTo) <= 0;
  }

  addSet(set: Position, changes: number): void {
    if (comparePositions(set, this.#until) <= 0) this.#storedChanges += changes;
  }

  /** Subtracts a change that the statistics have not counted yet. */
  addChange(set: Position, change: StoredChange): void {
    if (comparePositions(set, this.#until) <= 0) this.#reachedChanges += 1;
    if (this.isCounted(set)) return;
    const counts = noChanges();
    countKind(counts, change);
    const { created, archived, restored, deleted } = counts;
    this.#accounts -= created - archived + restored - deleted;
    this.#archived -= archived - restored;
    addFields(change.changes, (name, accounts) => this.#add(name, -accounts));
  }

  /** Changes that no account leads to. Their number is only known if none was removed meanwhile. */
  get unreached(): number {
    return this.#storedChanges - this.#reachedChanges;
  }

  problems(): string[] {
    const { accounts, archived, fields } = this.#stored;
    const problems: string[] = [];
    if (accounts !== this.#accounts) {
      problems.push(`${accounts} accounts were counted where there were ${this.#accounts}`);
    }
    if (archived !== this.#archived) {
      problems.push(`${archived} archived accounts were counted where there were ${this.#archived}`);
    }
    // Beyond this number of names some are not counted, and it is unknown which.
    if (this.#fields.size > MAX_NAMES || fields.size >= MAX_NAMES) return problems;
    for (const name of new Set([...fields.keys(), ...this.#fields.keys()])) {
      const counted = fields.get(name) ?? 0;
      const actual = this.#fields.get(name) ?? 0;
      if (counted !== actual) {
        problems.push(`${counted} accounts with ${name} were counted where there were ${actual}`);
      }
    }
    return problems;
  }

  #add(name: string, times: number): void {
    if (name.length > MAX_NAME_LENGTH) return;
    const count = this.#fields.get(name);
    if (count === undefined && this.#fields.size > MAX_NAMES) return;
    this.#fields.set(name, (count ?? 0) + times);
  }
}

interface Stored {
  readonly accounts: number;
  readonly archived: number;
  readonly fields: ReadonlyMap<string, number>;
}

/** By how much the changes change the number of accounts with each field. */
export function addFields(changes: FieldChanges, add: (name: string, accounts: number) => void): void {
  for (const name of Object.keys(changes)) {
    const [from, to] = changes[name] as FieldChanges[string];
    if (name.length <= MAX_NAME_LENGTH) add(name, (to === null ? 0 : 1) - (from === null ? 0 : 1));
  }
}
