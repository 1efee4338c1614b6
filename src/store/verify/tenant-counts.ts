import type { Kysely } from 'kysely';
import { MAX_NAME_LENGTH, MAX_NAMES } from '../chores/field-uses.js';
import { BEGINNING, type Position } from '../reading/changes-behind.js';
import type { Tables } from '../tables.js';
import type { ReplayedChange } from './history-replay.js';

/**
 * Counts the accounts of a tenant and their fields as they were when its changes had been counted last: those that are
 * there now, less what has come since. So it does not matter that servers write and count meanwhile.
 */
export class TenantCounts {
  readonly #countedTo: Position;
  readonly #stored: { readonly accounts: number; readonly fields: ReadonlyMap<string, number> };
  #accounts = 0;
  readonly #fields = new Map<string, number>();

  private constructor(countedTo: Position, stored: { accounts: number; fields: Map<string, number> }) {
    this.#countedTo = countedTo;
    this.#stored = stored;
  }

  static async read(snapshot: Kysely<Tables>, tenantId: number): Promise<TenantCounts> {
    const tally = await snapshot
      .selectFrom('tally')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
    const uses = await snapshot
      .selectFrom('field_use')
      .select(['name', 'accounts'])
      .where('tenant_id', '=', tenantId)
      .execute();
    const fields = new Map(uses.map(({ name, accounts }) => [name, accounts]));
    return new TenantCounts(tally ?? BEGINNING, { accounts: tally?.accounts ?? 0, fields });
  }

  addAccount(fields: Iterable<string>): void {
    this.#accounts += 1;
    for (const name of fields) this.#add(name, 1);
  }

  /** Takes back what was not counted yet. */
  addChange({ turn, seq }: Position, { kind, changes }: ReplayedChange): void {
    const { turn: lastTurn, seq: lastSeq } = this.#countedTo;
    if (turn < lastTurn || (turn === lastTurn && seq <= lastSeq)) return;
    if (kind !== 'updated') this.#accounts += kind === 'created' ? -1 : 1;
    for (const name of Object.keys(changes)) {
      const [from, to] = changes[name] as NonNullable<(typeof changes)[string]>;
      this.#add(name, (from === null ? 0 : 1) - (to === null ? 0 : 1));
    }
  }

  problems(): string[] {
    const { accounts, fields } = this.#stored;
    const problems: string[] = [];
    if (accounts !== this.#accounts) {
      problems.push(`${accounts} accounts were counted where there were ${this.#accounts}`);
    }
    // Of more names some are not counted, and nobody can tell which.
    if (this.#fields.size > MAX_NAMES || fields.size >= MAX_NAMES) return problems;
    for (const name of new Set([...fields.keys(), ...this.#fields.keys()])) {
      const counted = fields.get(name) ?? 0;
      const there = this.#fields.get(name) ?? 0;
      if (counted !== there) {
        problems.push(`${counted} accounts with ${name} were counted where there were ${there}`);
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
