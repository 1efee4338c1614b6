import { type Kysely, sql } from 'kysely';
import type { AccountPatch, Conflict, Outcome } from '../../domain/account.js';
import type { JsonValue } from '../../domain/json.js';
import { NetChange } from '../../domain/undo.js';
import { hidePending } from '../changes/pending-erasures.js';
import { type ChangeByRequest, readChanges } from '../changes/read-changes.js';
import type { Position } from '../changes/sets-after.js';
import { type SetOfRun, SetsOfRun, type WantedChanges } from '../changes/sets-of-run.js';
import type { Dialect } from '../dialect.js';
import { noCounts, type UpsertCounts } from '../requests.js';
import { Runs } from '../runs/runs.js';
import { type ChangePointer, decodeLine, linesOf, type StoredChange } from '../schema/change-set.js';
import type { Tables } from '../schema/tables.js';

export interface UndoOptions extends WantedChanges {
  /** Whether to overwrite what was changed since. */
  readonly isForced: boolean;
  /** Continues before this position. */
  readonly before?: Position | undefined;
}

/** Stores patches, each of another account, or only computes what they would do. */
export type WritePatches = (patches: readonly AccountPatch[], bytes: number) => Promise<UpsertCounts>;

/** Something that was not taken back. */
export interface UndoConflict extends Conflict {
  readonly accountId: string;
  /** The value of the field before the run, and the one that the run left. */
  readonly before: JsonValue;
  readonly left: JsonValue;
}

/** What became of some changes. */
export interface UndoStep {
  /** All changes from this position on have been examined. */
  readonly position: Position;
  readonly examined: number;
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly conflicts: readonly UndoConflict[];
}

interface Planned {
  readonly position: Position;
  readonly examined: number;
  readonly bytes: number;
  readonly patches: readonly AccountPatch[];
  /** In the order of the patches. */
  readonly netChanges: readonly NetChange[];
  readonly conflicts: readonly UndoConflict[];
}

/** Whose changes the undo takes back, or has made itself. */
interface Own {
  isOfRun(link: ChangeByRequest): boolean;
  isOfUndo(link: ChangeByRequest): boolean;
  /** No change of the run has a lower number. */
  readonly firstSeq: number;
}

/** An account, and the newest of its changes in one step. */
interface Candidate {
  readonly change: StoredChange;
  /** The revision of the account. */
  readonly revision: number;
  /** Where its chain continues, below which revision. */
  next: ChangePointer | null;
  below: number;
  readonly net: NetChange;
  /** Whether `next` is older than `change`. */
  isPast: boolean;
  /** Whether others have made one of the changes so far. */
  hasOthers: boolean;
  /** Whether others have changed the account since the run created or restored it. */
  isTouched: boolean;
  /** Whether a newer change of the run exists: then the account was handled with that one. */
  isHandled: boolean;
}

/** Steps that are written at the same time. Each account is in one of them only, so their order does not matter. */
const WRITES_AT_A_TIME = 3;
/** No account has it, so that archiving at this revision is a conflict, unless the account is archived already. */
const NO_REVISION = -1;

/**
 * Takes back the changes of a run, from the newest to the oldest:
 *
 *   sets of the run, newest first ──▶ what the run changed per account ──▶ a patch each ──▶ write ──▶ the result
 *
 * - An account is handled once, at its newest change of the run. Its chain of changes shows the others, and whether the
 *   account was changed by others since. Usually there are none: then the chain is not read.
 * - Each patch states which values its fields must have (`UndoRules`), and the write checks them. So nothing is
 *   overwritten that is stored meanwhile, and a step that is repeated after a crash changes nothing more.
 * - The next changes are read while others are written. Memory holds a few steps.
 */
export class UndoChanges {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;
  readonly #sets: SetsOfRun;
  readonly #runs: Runs;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
    this.#sets = new SetsOfRun(db);
    this.#runs = new Runs(db);
  }

  /** How many changes of a run are stored. */
  count(wanted: WantedChanges): Promise<number> {
    return this.#sets.count(wanted);
  }

  async *steps(options: UndoOptions, write: WritePatches): AsyncGenerator<UndoStep> {
    const writing: Promise<UndoStep>[] = [];
    try {
      for await (const planned of this.#plans(options)) {
        if (writing.length === WRITES_AT_A_TIME) yield await (writing.shift() as Promise<UndoStep>);
        const step = writeStep(planned, write);
        // Handled when it is awaited.
        step.catch(() => {});
        writing.push(step);
      }
      while (writing.length > 0) yield await (writing.shift() as Promise<UndoStep>);
    } finally {
      await Promise.allSettled(writing);
    }
  }

  async *#plans(options: UndoOptions): AsyncGenerator<Planned> {
    const own = await this.#own(options);
    for await (const sets of this.#sets.newestFirst(options, options.before)) {
      const last = sets.at(-1);
      // Removed meanwhile.
      if (last === undefined) continue;
      yield await this.#plan(options, own, sets, { commitOrder: last.commitOrder, seq: last.seq });
    }
  }

  async #own({ tenantId, runId, requestId }: UndoOptions): Promise<Own> {
    const undos = new Set<number | null>(await this.#runs.undosOf(tenantId, runId));
    return {
      isOfRun: (link) => link.runId === runId && (requestId === undefined || link.requestId === requestId),
      isOfUndo: (link) => undos.has(link.runId),
      firstSeq: await this.#sets.firstSeq(tenantId, runId),
    };
  }

  async #plan(
    { tenantId, isForced }: UndoOptions,
    own: Own,
    sets: readonly SetOfRun[],
    position: Position,
  ): Promise<Planned> {
    const lines = sets.flatMap(({ seq, entries }) => Array.from(linesOf(seq, entries), decodeLine));
    const newest = new Map<string, StoredChange>();
    for (const line of lines) {
      const { revision = 0 } = newest.get(line.accountId) ?? {};
      if (line.revision > revision) newest.set(line.accountId, line);
    }
    const candidates = await this.#candidates(tenantId, [...newest.values()]);
    await this.#followChains(tenantId, own, candidates);
    const patches: AccountPatch[] = [];
    const netChanges: NetChange[] = [];
    const conflicts: UndoConflict[] = [];
    for (const { change, revision, net, isTouched, isHandled } of candidates) {
      const { accountId } = change;
      if (isHandled) continue;
      if (change.isErased) {
        conflicts.push(conflictOf(accountId, net, { field: null, reason: 'deleted', now: null }));
        continue;
      }
      const patch = net.patch(accountId, isTouched ? NO_REVISION : revision, isForced);
      if (patch === undefined) continue;
      patches.push(patch);
      netChanges.push(net);
    }
    const bytes = sets.reduce((sum, { entries }) => sum + entries.length, 0);
    return { position, examined: lines.length, bytes, patches, netChanges, conflicts };
  }

  async #candidates(tenantId: number, changes: readonly StoredChange[]): Promise<Candidate[]> {
    const heads = new Map((await this.#heads(tenantId, changes)).map((head) => [head.account_id, head]));
    return (await hidePending(this.#db, tenantId, changes)).map((change) => {
      const { revision, last_change: seq, last_place: place } = heads.get(change.accountId) ?? NO_HEAD;
      const isLast = revision === change.revision;
      const net = new NetChange();
      if (isLast && !change.isErased) net.add(change);
      const last = seq === null || place === null ? null : { seq, place };
      const next = isLast ? { next: change.previous, below: revision } : { next: last, below: revision + 1 };
      const nothing = { hasOthers: false, isTouched: false, isHandled: false };
      return { change, revision, net, ...next, isPast: isLast, ...nothing };
    });
  }

  /** Reads the changes of each account, from its last one to the first of the run. */
  async #followChains(tenantId: number, own: Own, candidates: readonly Candidate[]): Promise<void> {
    let rest = candidates.filter((candidate) => goesOn(candidate, own));
    while (rest.length > 0) {
      const pointers = rest.map(({ next }) => next as ChangePointer);
      const found = await readChanges(this.#db, tenantId, pointers);
      for (const [i, candidate] of rest.entries()) follow(candidate, found[i], own);
      rest = rest.filter((candidate) => goesOn(candidate, own));
    }
  }

  async #heads(tenantId: number, changes: readonly StoredChange[]): Promise<readonly Head[]> {
    if (changes.length === 0) return [];
    const ids = changes.map(({ accountId }) => accountId);
    const few = this.#dialect.accountsOf(tenantId, this.#dialect.texts(ids, 'account_id'));
    const { rows } = await sql<Head>`
      select a.account_id, a.revision, a.last_change, a.last_place from ${few}
    `.execute(this.#db);
    return rows;
  }
}

interface Head {
  readonly account_id: string;
  readonly revision: number;
  readonly last_change: number | null;
  readonly last_place: number | null;
}

const NO_HEAD = { revision: NO_REVISION, last_change: null, last_place: null };

/** Whether older changes of the account may belong to the run. */
function goesOn({ next, isHandled }: Candidate, { firstSeq }: Own): boolean {
  return !isHandled && next !== null && next.seq >= firstSeq;
}

/** Adds the next older change of an account. */
function follow(candidate: Candidate, found: ChangeByRequest | undefined, own: Own): void {
  const { change, net } = candidate;
  // The rest was removed: nothing is at its place, or a change of another account, or a later one.
  if (found?.accountId !== change.accountId || found.revision >= candidate.below) {
    candidate.next = null;
    return;
  }
  candidate.next = found.previous;
  candidate.below = found.revision;
  const isChange = found.seq === change.seq;
  // Its values may have been erased, though they are still stored.
  const { isErased } = isChange ? change : found;
  if (own.isOfRun(found)) {
    if (!isChange && !candidate.isPast) candidate.isHandled = true;
    else if (!isErased) {
      net.add(found);
      if (found.kind !== 'updated') candidate.isTouched = candidate.hasOthers;
    }
  } else if (!own.isOfUndo(found)) candidate.hasOthers = true;
  candidate.isPast ||= isChange;
  // Before it, there was no account, or another one of this id.
  if (candidate.isPast && (found.kind === 'created' || found.kind === 'deleted')) candidate.next = null;
}

async function writeStep(planned: Planned, write: WritePatches): Promise<UndoStep> {
  const { position, examined, bytes, patches, netChanges } = planned;
  const counts: UpsertCounts = patches.length === 0 ? noCounts() : await write(patches, bytes);
  const conflicts = (counts.conflicts ?? []).map(({ index, ...conflict }) =>
    conflictOf((patches[index] as AccountPatch).accountId, netChanges[index] as NetChange, conflict),
  );
  return { position, examined, counts, conflicts: [...planned.conflicts, ...conflicts] };
}

function conflictOf(accountId: string, net: NetChange, conflict: Conflict): UndoConflict {
  const [before, left] = conflict.field === null ? [null, null] : net.valuesOf(conflict.field);
  return { accountId, before, left, ...conflict };
}
