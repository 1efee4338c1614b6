import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { AccountPatch, Conflict, Outcome } from '../../domain/account.js';
import type { JsonValue } from '../../domain/json.js';
import { NetChange } from '../../domain/undo.js';
import { hidePending } from '../changes/pending-erasures.js';
import { rangeOfRun } from '../changes/range-of-run.js';
import { type ChangeHead, type ChangeOrigin, readChanges } from '../changes/read-changes.js';
import { type PieceOfRun, SetsOfRun, type WantedChanges } from '../changes/sets-of-run.js';
import type { Dialect } from '../dialect.js';
import { noCounts, type UpsertCounts } from '../requests.js';
import { Undos } from '../runs/undos.js';
import { type ChangePointer, decodeLine, linesOf, type StoredChange } from '../schema/change-set.js';
import { comparePositions, type Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';

export interface UndoOptions extends WantedChanges {
  /** The run that the undo is; undefined in a dry run. */
  readonly undoId: number | undefined;
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

/** Tells whose change one is. */
interface Owners {
  /** Whether the undo takes it back. Those after the end are too late for it, and count as changes of others. */
  isOfRun(origin: ChangeOrigin): boolean;
  /** Whether an undo of the run has made it, or an undo of that, and so on. */
  isOfUndos(origin: ChangeOrigin): boolean;
  isOfThisUndo(origin: ChangeOrigin): boolean;
  /** No change of the run has a lower number. */
  readonly firstSeq: number;
}

/** An account, and the newest of its changes in one step. */
interface Candidate {
  readonly change: StoredChange;
  /** The revision of the account, and when it was created. */
  readonly revision: number;
  readonly createdAt: number | undefined;
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
  /** Whether there is a newer change of the run, with which the account is handled, or one of this undo. */
  isHandled: boolean;
}

/** Steps that are written at the same time. Each account is in one of them only, so their order does not matter. */
const WRITES_AT_A_TIME = 3;
/** Accounts that are remembered as handled. For others, their changes show it. */
const MAX_HANDLED = 50_000;
/** No account has it, so that archiving at this revision is a conflict, unless the account is archived already. */
const NO_REVISION = -1;

/**
 * Takes back the changes of a run, from the newest to the oldest:
 *
 *   sets of the run, newest first ──▶ what the run changed per account ──▶ a patch each ──▶ write ──▶ the result
 *
 * - An account is handled once, at its newest change of the run. Its chain of changes shows the others, and whether the
 *   account was changed by others since. Usually there are none: then the chain is not read.
 * - Each patch states which values its fields must have (`EditRules`), and the write checks them. So nothing is
 *   overwritten that is stored meanwhile, and a step that is repeated after a crash changes nothing more.
 * - The next changes are read while others are written. Memory holds a few steps.
 */
export class UndoChanges {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;
  readonly #sets: SetsOfRun;
  readonly #undos: Undos;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
    this.#sets = new SetsOfRun(db);
    this.#undos = new Undos(db);
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
    const owners = await this.#owners(options);
    const handled = new Set<string>();
    for await (const piece of this.#sets.newestFirst(options, options.before)) {
      yield await this.#plan(options, owners, piece, handled);
      if (handled.size > MAX_HANDLED) handled.clear();
      // SQLite reads synchronously, and other requests would wait.
      await nextTurn();
    }
  }

  async #owners({ tenantId, runId, requestId, undoId }: UndoOptions): Promise<Owners> {
    const undos = new Set<number | null>(await this.#undos.allOf(tenantId, runId));
    const range = await rangeOfRun(this.#db, tenantId, runId);
    return {
      isOfRun: (origin) =>
        origin.runId === runId &&
        (requestId === undefined || origin.requestId === requestId) &&
        range !== undefined &&
        comparePositions(origin.setPosition, range.last) <= 0,
      isOfUndos: ({ runId: id }) => undos.has(id),
      isOfThisUndo: ({ runId: id }) => id !== null && id === undoId,
      firstSeq: range?.first.seq ?? Number.MAX_SAFE_INTEGER,
    };
  }

  async #plan(
    { tenantId, isForced }: UndoOptions,
    owners: Owners,
    { sets, position }: PieceOfRun,
    handled: Set<string>,
  ): Promise<Planned> {
    const lines = sets.flatMap(({ seq, entries }) => Array.from(linesOf(seq, entries), decodeLine));
    const newest = new Map<string, StoredChange>();
    for (const line of lines) {
      const { revision = 0 } = newest.get(line.accountId) ?? {};
      if (!handled.has(line.accountId) && line.revision > revision) newest.set(line.accountId, line);
    }
    const plan = {
      patches: [] as AccountPatch[],
      netChanges: [] as NetChange[],
      conflicts: [] as UndoConflict[],
    };
    let examined = lines.length;
    const candidates = await this.#candidates(tenantId, [...newest.values()]);
    await this.#followChains(tenantId, owners, candidates);
    for (const candidate of candidates) {
      handled.add(candidate.change.accountId);
      // Its change was removed meanwhile.
      if (!candidate.isHandled && !candidate.isPast) examined -= 1;
      else addTo(plan, candidate, isForced);
    }
    const bytes = sets.reduce((sum, { entries }) => sum + entries.length, 0);
    return { position, examined, bytes, ...plan };
  }

  async #candidates(tenantId: number, changes: readonly StoredChange[]): Promise<Candidate[]> {
    const heads = new Map((await this.#heads(tenantId, changes)).map((head) => [head.account_id, head]));
    return (await hidePending(this.#db, tenantId, changes)).map((change) => {
      const head = heads.get(change.accountId) ?? NO_HEAD;
      const { revision, created_at: createdAt, last_change: seq, last_place: place } = head;
      const isLast = revision === change.revision;
      const net = new NetChange();
      if (isLast) addChange(net, change);
      const last = seq === null || place === null ? null : { seq, place };
      const next = isLast ? { next: change.previous, below: revision } : { next: last, below: revision + 1 };
      const nothing = { hasOthers: false, isTouched: false, isHandled: false };
      return { change, revision, createdAt, net, ...next, isPast: isLast, ...nothing };
    });
  }

  /** Reads the changes of each account, from its last one to the first of the run. */
  async #followChains(tenantId: number, owners: Owners, candidates: readonly Candidate[]): Promise<void> {
    let rest = candidates.filter((candidate) => goesOn(candidate, owners));
    while (rest.length > 0) {
      const pointers = rest.map(({ next }) => next as ChangePointer);
      const found = await readChanges(this.#db, tenantId, pointers, owners.isOfRun);
      for (const [i, candidate] of rest.entries()) follow(candidate, found[i], owners);
      rest = rest.filter((candidate) => goesOn(candidate, owners));
      await nextTurn();
    }
  }

  async #heads(tenantId: number, changes: readonly StoredChange[]): Promise<readonly Head[]> {
    if (changes.length === 0) return [];
    const ids = changes.map(({ accountId }) => accountId);
    const few = this.#dialect.accountsOf(tenantId, this.#dialect.texts(ids, 'account_id'));
    const { rows } = await sql<Head>`
      select a.account_id, a.revision, a.created_at, a.last_change, a.last_place from ${few}
    `.execute(this.#db);
    return rows;
  }
}

interface Head {
  readonly account_id: string;
  readonly revision: number;
  readonly created_at: number;
  readonly last_change: number | null;
  readonly last_place: number | null;
}

const NO_HEAD = { revision: NO_REVISION, created_at: undefined, last_change: null, last_place: null };

/** Whether older changes of the account may belong to the run. */
function goesOn({ next, isHandled }: Candidate, { firstSeq }: Owners): boolean {
  return !isHandled && next !== null && next.seq >= firstSeq;
}

/** Adds the next older change of an account. */
function follow(candidate: Candidate, found: ChangeHead | undefined, owners: Owners): void {
  const { change, net } = candidate;
  // The rest was removed: nothing is at its place, or a change of another account, or a later one.
  if (found?.accountId !== change.accountId || found.revision >= candidate.below) {
    candidate.next = null;
    return;
  }
  candidate.next = found.previous;
  candidate.below = found.revision;
  const isChange = found.seq === change.seq;
  if (owners.isOfThisUndo(found) && !candidate.isPast) candidate.isHandled = true;
  else if (owners.isOfRun(found)) {
    if (!isChange && !candidate.isPast) candidate.isHandled = true;
    // The values of the change may have been erased, though they are still stored.
    else addChange(net, isChange ? change : found);
    if (found.kind !== 'updated') candidate.isTouched = candidate.hasOthers;
  } else if (!owners.isOfUndos(found)) candidate.hasOthers = true;
  candidate.isPast ||= isChange;
  // Before it, there was no account, or another one of this id.
  if (candidate.isPast && (found.kind === 'created' || found.kind === 'deleted')) candidate.next = null;
}

function addChange(
  net: NetChange,
  { kind, isErased, changes }: Pick<ChangeHead, 'kind' | 'isErased' | 'changes'>,
): void {
  if (!isErased && kind !== 'deleted') net.add({ kind, changes: changes ?? {} });
}

type Plan = { readonly [Name in 'patches' | 'netChanges' | 'conflicts']: Planned[Name][number][] };

/** Adds what is to be done with an account. */
function addTo({ patches, netChanges, conflicts }: Plan, candidate: Candidate, isForced: boolean): void {
  const { change, revision, createdAt, net, isTouched, isHandled } = candidate;
  const { accountId } = change;
  if (isHandled) return;
  if (change.isErased) {
    conflicts.push(conflictOf(accountId, net, { field: null, reason: 'deleted', now: null }));
    return;
  }
  const patch = net.patch(accountId, isTouched ? NO_REVISION : revision, isForced);
  if (patch === undefined) return;
  patches.push({ ...patch, edit: { ...patch.edit, ...(createdAt !== undefined && { createdAt }) } });
  netChanges.push(net);
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
