import type { Kysely } from 'kysely';
import { BEGINNING, type Position } from '../changes/changes-after.js';
import { MAX_NAME_LENGTH, MAX_NAMES } from '../changes/field-usage.js';
import { scan } from '../schema/scan.js';
import type { Tables } from '../schema/tables.js';
import type { TableSum } from './copy-database.js';
import { HistoryReplay, type ReplayedChange } from './history-replay.js';
import type { AccountPage, Finder } from './verification-problems.js';

export interface HistoryReaders {
  readonly counts: TenantCounts;
  readonly sum: TableSum;
  readonly report: () => void;
}

/** Every history leads to the account as it is stored, and none is without one. */
export async function verifyHistories(
  page: AccountPage,
  finder: Finder,
  { counts, sum, report }: HistoryReaders,
): Promise<void> {
  const { snapshot, accounts, fieldsOf, range } = page;
  const mayHaveHoles = await isPruned(page);
  const left = new Map(accounts.map((row) => [row.account_id, row]));
  const finish = (id: string, replay: HistoryReplay) => {
    const row = left.get(id);
    left.delete(id);
    const problems =
      row === undefined ? ['its history is there without it'] : replay.finish(row, fieldsOf.get(id) ?? {});
    for (const problem of problems) finder.found('history', id, problem);
  };
  let current: { readonly id: string; readonly replay: HistoryReplay } | undefined;
  for await (const rows of scan(snapshot, 'account_history', range)) {
    for (const row of rows) {
      finder.looked('history');
      sum.add(row);
      if (current?.id !== row.account_id) {
        if (current !== undefined) finish(current.id, current.replay);
        current = { id: row.account_id, replay: new HistoryReplay(mayHaveHoles) };
      }
      const change = current.replay.add(row);
      if (change !== undefined) counts.addChange(row, change);
    }
    report();
  }
  if (current !== undefined) finish(current.id, current.replay);
  for (const id of left.keys()) finish(id, new HistoryReplay(mayHaveHoles));
}

/** Whether old changes of the tenant are removed, or were at some time: not always the oldest of an account go first. */
async function isPruned({ snapshot, tenantId }: AccountPage): Promise<boolean> {
  const found = await snapshot
    .selectFrom('tenant')
    .leftJoin('pruning', 'pruning.tenant_id', 'tenant.id')
    .select('tenant.id')
    .where('tenant.id', '=', tenantId)
    .where(({ or, eb }) => or([eb('history_days', 'is not', null), eb('days', 'is not', null)]))
    .executeTakeFirst();
  return found !== undefined;
}

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
