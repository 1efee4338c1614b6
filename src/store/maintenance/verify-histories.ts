import type { Kysely } from 'kysely';
import { ChangeChains } from '../changes/change-chains.js';
import { MAX_NAMES } from '../changes/field-usage.js';
import { BEGINNING, comparePositions, type Position } from '../changes/sets-after.js';
import type { Dialect } from '../dialect.js';
import { type ChangePointer, decodeLine, type StoredChange, setOf } from '../schema/change-set.js';
import { MAX_NAME_LENGTH } from '../schema/change-set-builder.js';
import type { Row } from '../schema/scan.js';
import type { Tables } from '../schema/tables.js';
import { HistoryReplay } from './history-replay.js';
import type { AccountPage, ProblemReporter } from './verification-problems.js';

/** Changes of one account that are read at once: enough for most, and little memory for a page of accounts. */
const FIRST_BOUNDS = { links: 8, bytes: 16 * 1024 };
const NEXT_BOUNDS = { links: 250, bytes: 512 * 1024 };

interface Chain {
  readonly account: Row<'account'>;
  readonly replay: HistoryReplay;
  readonly next: ChangePointer;
}

/** Checks that the history of each account leads to the stored account. */
export async function verifyHistories(
  page: AccountPage,
  dialect: Dialect,
  reporter: ProblemReporter,
  counts: TenantCounts,
): Promise<void> {
  const { snapshot, tenantId, accounts, fieldsOf } = page;
  const chains = new ChangeChains(snapshot, dialect);
  const pending = await pendingErasures(page);
  const finish = (account: Row<'account'>, replay: HistoryReplay) => {
    for (const problem of replay.finish()) reporter.problem('history', account.account_id, problem);
  };
  const begun = accounts.flatMap((account): Chain[] => {
    const { account_id: id, last_change: seq, last_place: place } = account;
    const replay = new HistoryReplay(account, fieldsOf.get(id) ?? {}, pending.has(id));
    if (seq !== null && place !== null) return [{ account, replay, next: { seq, place } }];
    finish(account, replay);
    return [];
  });
  const read = async (some: readonly Chain[], bounds: typeof FIRST_BOUNDS) => {
    const starts = some.map(({ next }) => next);
    const found = await chains.read(tenantId, starts, bounds);
    return some.flatMap((chain, i): Chain[] => {
      const next = replayLinks(chain, found[i] ?? [], reporter, counts);
      if (next !== null) return [{ ...chain, next }];
      finish(chain.account, chain.replay);
      return [];
    });
  };
  try {
    for (const unfinished of await read(begun, FIRST_BOUNDS)) {
      for (let rest = [unfinished]; rest.length > 0; ) rest = await read(rest, NEXT_BOUNDS);
    }
  } catch (error) {
    // The databases fail on a damaged line, which `verifyChangeSets` has reported.
    if (reporter.found('history') === 0) throw error;
  }
}

/** Returns where the chain continues; null at its end. */
function replayLinks(
  { account, replay }: Chain,
  links: Awaited<ReturnType<ChangeChains['read']>>[number],
  reporter: ProblemReporter,
  counts: TenantCounts,
): ChangePointer | null {
  let last: StoredChange | undefined;
  for (const link of links) {
    const change = readChange(link);
    if (change === undefined) replay.problems.push(`change ${link.seq} cannot be read`);
    if (change === undefined || change.accountId !== account.account_id) return null;
    reporter.checked('history');
    replay.add({ ...change, at: link.at });
    counts.addChange({ commitOrder: link.commitOrder, seq: setOf(link.seq) }, change);
    last = change;
  }
  return last?.previous ?? null;
}

function readChange(link: Parameters<typeof decodeLine>[0]): StoredChange | undefined {
  try {
    return decodeLine(link);
  } catch {
    return undefined;
  }
}

/** Deleted accounts of the page with values that a job has yet to erase. */
async function pendingErasures({ snapshot, tenantId, accounts }: AccountPage): Promise<Set<string>> {
  if (accounts.length === 0) return new Set();
  const rows = await snapshot
    .selectFrom('erasure')
    .select('account_id')
    .where('tenant_id', '=', tenantId)
    .where('next_seq', 'is not', null)
    .where(
      'account_id',
      'in',
      accounts.map(({ account_id }) => account_id),
    )
    .execute();
  return new Set(rows.map(({ account_id }) => account_id));
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
  addChange(set: Position, { kind, changes }: StoredChange): void {
    if (comparePositions(set, this.#countedTo) <= 0) return;
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
