import { type Kysely, sql, type Transaction } from 'kysely';
import { ChangeChains } from '../changes/change-chains.js';
import { isAmongSets } from '../changes/sets-after.js';
import type { Dialect } from '../dialect.js';
import {
  blankLines,
  type ChangePointer,
  countKind,
  headOf,
  type KindCounts,
  keepLines,
  linesOf,
  noChanges,
} from '../schema/change-set.js';
import type { Tables } from '../schema/tables.js';

/** A change set without those changes that are to be removed. */
export interface PrunedSet {
  readonly seq: number;
  /** As read; the set is stored only if it has not changed since. */
  readonly before: Uint8Array;
  /** Undefined if no change is left. */
  readonly after: Uint8Array | undefined;
  readonly counts: Readonly<KindCounts>;
  readonly removed: number;
  /** Accounts whose last change has moved to another place in the set. */
  readonly moved: readonly { readonly accountId: string; readonly seq: number; readonly place: number }[];
}

interface OldLine extends ReturnType<typeof headOf> {
  readonly seq: number;
}

interface OldSet {
  readonly seq: number;
  readonly entries: Uint8Array;
  readonly lines: readonly OldLine[];
}

/**
 * Decides which changes of old sets can be removed, and removes them. A change stays if
 * - it is the last one of its account, or was the last one at a time (`graceFrom`): listings find the account there;
 * - or the change before it stays: the chain of an account is removed from its beginning, so that it has no gaps.
 *
 * A set without remaining changes is deleted. If each remaining change is the last of its account, the set shrinks, and
 * the accounts get the new places. Otherwise later changes point to a place in the set: removed changes become blank.
 */
export class OldChanges {
  readonly #db: Kysely<Tables>;
  readonly #chains: ChangeChains;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#chains = new ChangeChains(db, dialect);
  }

  /** `seqs` are in the order of the feed. Sets from which nothing is removed are left out. */
  async prune(tenantId: number, seqs: readonly number[], graceFrom: number): Promise<PrunedSet[]> {
    if (seqs.length === 0) return [];
    const sets = await this.#read(tenantId, seqs);
    const lines = sets.flatMap((set) => set.lines);
    const { last, kept } = await this.#lastChanges(tenantId, lines, graceFrom);
    const candidates = lines.filter(({ seq }) => !kept.has(seq));
    const previous = await this.#existing(
      tenantId,
      candidates.flatMap(({ accountId, previous }) =>
        previous === null ? [] : [{ accountId, ...previous }],
      ),
    );
    const removed = new Set<number>();
    for (const { seq, previous: before } of candidates) {
      const isFirst = before === null || !previous.has(before.seq) || removed.has(before.seq);
      if (isFirst) removed.add(seq);
    }
    return sets.flatMap((set) => {
      const pruned = withoutChanges(set, removed, last);
      return pruned === undefined ? [] : [pruned];
    });
  }

  /** Returns false if a set, or an account in it, has changed since it was read; then nothing may be committed. */
  async store(db: Transaction<Tables>, tenantId: number, sets: readonly PrunedSet[]): Promise<boolean> {
    for (const set of sets) if (!(await storeSet(db, tenantId, set))) return false;
    // In the order of their ids, as the account write locks them: so no deadlock.
    const moved = sets.flatMap((set) => set.moved).sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
    for (const { accountId, seq, place } of moved) {
      const { numUpdatedRows } = await db
        .updateTable('account')
        .set({ last_place: place })
        .where('tenant_id', '=', tenantId)
        .where('account_id', '=', accountId)
        .where('last_change', '=', seq)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
    }
    return true;
  }

  async #read(tenantId: number, seqs: readonly number[]): Promise<OldSet[]> {
    const rows = await this.#db
      .selectFrom('change_set')
      .select(['seq', 'entries'])
      .where(isAmongSets(tenantId, seqs))
      .orderBy('turn')
      .orderBy('seq')
      .execute();
    return rows.map(({ seq, entries }) => ({
      seq,
      entries,
      lines: Array.from(linesOf(seq, entries), (line) => ({ seq: line.seq, ...headOf(line.text) })),
    }));
  }

  /** The numbers of those changes that are still stored. */
  async #existing(
    tenantId: number,
    changes: readonly (ChangePointer & { readonly accountId: string })[],
  ): Promise<Set<number>> {
    const chains = await this.#chains.read(tenantId, changes, { links: 1, bytes: 1 });
    const existing = changes.filter(({ accountId }, i) => {
      const link = chains[i]?.[0];
      return link !== undefined && headOf(link.text).accountId === accountId;
    });
    return new Set(existing.map(({ seq }) => seq));
  }

  /** The numbers of the last changes of all accounts, and of all changes that listings need. */
  async #lastChanges(tenantId: number, lines: readonly OldLine[], graceFrom: number) {
    const ids = [...new Set(lines.map(({ accountId }) => accountId))];
    if (ids.length === 0) return { last: new Set<number>(), kept: new Set<number>() };
    const accounts = await this.#db
      .selectFrom('account')
      .select(['account_id', 'last_change', 'updated_at'])
      .where('tenant_id', '=', tenantId)
      .where('account_id', 'in', ids)
      .execute();
    const last = new Set(accounts.flatMap(({ last_change }) => last_change ?? []));
    const recent = accounts.filter(({ updated_at }) => updated_at >= graceFrom);
    const earlier = await this.#chains.lastWithin(
      tenantId,
      recent.map(({ account_id }) => account_id),
      { before: graceFrom },
    );
    const kept = new Set(last);
    // An account that has changed very often since is not followed back: its old changes are removed.
    for (const position of earlier.values()) if (position !== 'unknown') kept.add(position.seq);
    return { last, kept };
  }
}

async function storeSet(db: Transaction<Tables>, tenantId: number, set: PrunedSet): Promise<boolean> {
  const { seq, before, after, counts } = set;
  const isSame = sql<boolean>`${isAmongSets(tenantId, [seq])} and entries = ${before}`;
  if (after === undefined) {
    const { numDeletedRows } = await db.deleteFrom('change_set').where(isSame).executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
  const { numUpdatedRows } = await db
    .updateTable('change_set')
    .set({ ...counts, entries: after })
    .where(isSame)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

function withoutChanges(
  { seq, entries, lines }: OldSet,
  removed: ReadonlySet<number>,
  last: ReadonlySet<number>,
): PrunedSet | undefined {
  const staying = lines.filter((line) => !removed.has(line.seq));
  // A set without changes is an event of the feed, which nothing points to.
  if (staying.length === lines.length && lines.length > 0) return undefined;
  const counts = noChanges();
  for (const line of staying) countKind(counts, line);
  const set = { seq, before: entries, counts, removed: lines.length - staying.length };
  if (staying.length === 0) return { ...set, after: undefined, moved: [] };
  if (!staying.every((line) => last.has(line.seq))) {
    return { ...set, after: blankLines(seq, entries, removed), moved: [] };
  }
  const compact = keepLines(seq, entries, new Set(staying.map((line) => line.seq)));
  const moved = staying.map(({ accountId, seq: change }) => ({
    accountId,
    seq: change,
    place: compact.places.get(change) ?? 0,
  }));
  return { ...set, after: compact.entries, moved };
}
