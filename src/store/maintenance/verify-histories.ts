import type { Kysely } from 'kysely';
import { BEGINNING, type Position } from '../changes/changes-after.js';
import { MAX_NAME_LENGTH, MAX_NAMES } from '../changes/field-usage.js';
import { scan } from '../schema/scan.js';
import type { Tables } from '../schema/tables.js';
import type { TableSum } from './copy-database.js';
import { HistoryReplay, type ReplayedChange } from './history-replay.js';
import type { AccountPage, ProblemReporter } from './verification-problems.js';

export interface HistoryReaders {
  readonly counts: TenantCounts;
  readonly sum: TableSum;
  readonly report: () => void;
}

/** Checks that the history of each account leads to the stored account, and that no history is without an account. */
export async function verifyHistories(
  page: AccountPage,
  reporter: ProblemReporter,
  { counts, sum, report }: HistoryReaders,
): Promise<void> {
  const { snapshot, accounts, fieldsOf, range } = page;
  const mayHaveGaps = await isPruned(page);
  const remaining = new Map(accounts.map((row) => [row.account_id, row]));
  const finish = (id: string, replay: HistoryReplay) => {
    const row = remaining.get(id);
    remaining.delete(id);
    const problems =
      row === undefined ? ['there is a history, but no account'] : replay.finish(row, fieldsOf.get(id) ?? {});
    for (const problem of problems) reporter.problem('history', id, problem);
  };
  let current: { readonly id: string; readonly replay: HistoryReplay } | undefined;
  for await (const rows of scan(snapshot, 'account_history', range)) {
    for (const row of rows) {
      reporter.checked('history');
      sum.add(row);
      if (current?.id !== row.account_id) {
        if (current !== undefined) finish(current.id, current.replay);
        current = { id: row.account_id, replay: new HistoryReplay(mayHaveGaps) };
      }
      const change = current.replay.add(row);
      if (change !== undefined) counts.addChange({ commitOrder: row.turn, seq: row.seq }, change);
    }
    report();
  }
  if (current !== undefined) finish(current.id, current.replay);
  for (const id of remaining.keys()) finish(id, new HistoryReplay(mayHaveGaps));
}

/** Whether old changes of the tenant are or were removed. Then gaps are valid: the oldest may stay longest. */
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
 * Computes what the statistics of a tenant should be: its accounts and fields as stored now, minus the changes after
 * the position up to which the statistics have counted. So servers may write and count meanwhile.
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
    const counted = await snapshot
      .selectFrom('tally')
      .select(['turn as commitOrder', 'seq', 'accounts'])
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
    const uses = await snapshot
      .selectFrom('field_use')
      .select(['name', 'accounts'])
      .where('tenant_id', '=', tenantId)
      .execute();
    const fields = new Map(uses.map(({ name, accounts }) => [name, accounts]));
    return new TenantCounts(counted ?? BEGINNING, { accounts: counted?.accounts ?? 0, fields });
  }

  addAccount(fields: Iterable<string>): void {
    this.#accounts += 1;
    for (const name of fields) this.#add(name, 1);
  }

  /** Subtracts a change that the statistics have not counted yet. */
  addChange({ commitOrder, seq }: Position, { kind, changes }: ReplayedChange): void {
    const last = this.#countedTo;
    if (commitOrder < last.commitOrder || (commitOrder === last.commitOrder && seq <= last.seq)) return;
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
