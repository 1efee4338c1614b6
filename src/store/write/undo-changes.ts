import { type Kysely, sql } from 'kysely';
import type { AccountPatch, Conflict, Outcome } from '../../domain/account.js';
import type { JsonValue } from '../../domain/json.js';
import { patchToUndo } from '../../domain/undo.js';
import { type ChainLink, ChangeChains } from '../changes/change-chains.js';
import { hidePending } from '../changes/pending-erasures.js';
import type { Position } from '../changes/sets-after.js';
import { type SetOfRun, SetsOfRun, type WantedChanges } from '../changes/sets-of-run.js';
import type { Dialect } from '../dialect.js';
import { noCounts, type UpsertCounts } from '../requests.js';
import { Runs } from '../runs/runs.js';
import { type ChangePointer, decodeLine, headOf, linesOf, type StoredChange } from '../schema/change-set.js';
import type { Tables } from '../schema/tables.js';

export interface UndoOptions extends WantedChanges {
  /** The run that the undo belongs to; none in a dry run. */
  readonly undoId: number | undefined;
  /** Whether to overwrite what was changed since. */
  readonly isForced: boolean;
  /** Continues before this position. */
  readonly before?: Position | undefined;
}

/** Stores patches, or only computes what they would do. All of them have other accounts, or are stored in order. */
export type WritePatches = (patches: readonly AccountPatch[], bytes: number) => Promise<UpsertCounts>;

/** Something that was not taken back. */
export interface UndoConflict extends Conflict {
  readonly accountId: string;
  /** The value of the field before the change, and the one that the change left. */
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
  /** The change of each patch. */
  readonly changes: readonly StoredChange[];
  /** Changes whose accounts are to be archived, if all changes since belong to the same run. */
  readonly toArchive: readonly StoredChange[];
  readonly conflicts: readonly UndoConflict[];
}

/** An account that may have to be archived: its revision, and where the search for changes by others continues. */
interface Candidate {
  readonly change: StoredChange;
  readonly revision: number;
  readonly next: ChangePointer;
}

/** No account has it: archiving at this revision is a conflict, unless the account is archived already. */
const NO_REVISION = -1;
const NO_HEAD = { revision: NO_REVISION, last_change: null, last_place: null };
/** Changes of one account that are read at once. */
const CHAIN_BOUNDS = { links: 32, bytes: 64 * 1024 };

/**
 * Takes back the changes of a run, from the newest to the oldest:
 *
 *   sets of the run, newest first ──▶ a patch per change ──▶ write ──▶ what became of them, and the position
 *
 * - Each patch states which values its fields must have (`UndoRules`), and the write checks them. So nothing is
 *   overwritten that was stored meanwhile, and a step that is repeated after a crash changes nothing more.
 * - The next changes are read while the last ones are written. Memory holds two steps.
 * - An account that the run created is archived at once if its creation is its last change. If there are others, all of
 *   them have to belong to the run or to undos of it: the chain of changes shows it.
 */
export class UndoChanges {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;
  readonly #chains: ChangeChains;
  readonly #sets: SetsOfRun;
  readonly #runs: Runs;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
    this.#chains = new ChangeChains(db, dialect);
    this.#sets = new SetsOfRun(db);
    this.#runs = new Runs(db);
  }

  /** How many changes of a run are stored. */
  count(wanted: WantedChanges): Promise<number> {
    return this.#sets.count(wanted);
  }

  async *steps(options: UndoOptions, write: WritePatches): AsyncGenerator<UndoStep> {
    const planned = this.#plans(options);
    let next = planned.next();
    for (let current = await next; !current.done; current = await next) {
      next = planned.next();
      // Handled when it is awaited.
      next.catch(() => {});
      yield await this.#write(options, current.value, write);
    }
  }

  async *#plans(options: UndoOptions): AsyncGenerator<Planned> {
    for await (const sets of this.#sets.newestFirst(options, options.before)) {
      const last = sets.at(-1);
      // Removed meanwhile.
      if (last === undefined) continue;
      yield await this.#plan(options, sets, { commitOrder: last.commitOrder, seq: last.seq });
    }
  }

  async #plan(
    { tenantId, isForced }: UndoOptions,
    sets: readonly SetOfRun[],
    position: Position,
  ): Promise<Planned> {
    const lines = sets.flatMap(({ seq, entries }) => Array.from(linesOf(seq, entries), decodeLine).reverse());
    const all = await hidePending(this.#db, tenantId, lines);
    const revisions = isForced ? undefined : await this.#revisions(tenantId, all.filter(archives));
    const patches: AccountPatch[] = [];
    const changes: StoredChange[] = [];
    const toArchive: StoredChange[] = [];
    const conflicts: UndoConflict[] = [];
    for (const change of all) {
      const { accountId, revision } = change;
      const patch = patchToUndo(change, isForced);
      if (patch === undefined)
        conflicts.push(conflictOf(change, { field: null, reason: 'deleted', now: null }));
      else if (revisions === undefined || !archives(change)) {
        patches.push(patch);
        changes.push(change);
      } else if (revisions.get(accountId) === revision) {
        patches.push({ ...patch, undo: { ...patch.undo, revision } });
        changes.push(change);
      } else {
        toArchive.push(change);
        const { expected = {} } = patch.undo ?? {};
        if (Object.keys(patch.fields).length === 0) continue;
        patches.push({ ...patch, undo: { expected } });
        changes.push(change);
      }
    }
    const bytes = sets.reduce((sum, { entries }) => sum + entries.length, 0);
    return { position, examined: lines.length, bytes, patches, changes, toArchive, conflicts };
  }

  async #write(options: UndoOptions, planned: Planned, write: WritePatches): Promise<UndoStep> {
    const { position, examined, bytes, patches, changes, toArchive } = planned;
    const conflicts = [...planned.conflicts];
    const counts = patches.length === 0 ? undefined : await write(patches, bytes);
    for (const { index, ...conflict } of counts?.conflicts ?? []) {
      conflicts.push(conflictOf(changes[index] as StoredChange, conflict));
    }
    const archived = toArchive.length === 0 ? undefined : await this.#archive(options, toArchive, write);
    if (archived !== undefined) conflicts.push(...archived.conflicts);
    return { position, examined, counts: sum(counts, archived?.counts), conflicts };
  }

  /** Archives accounts that only the run and its undos have changed since. */
  async #archive(
    options: UndoOptions,
    changes: readonly StoredChange[],
    write: WritePatches,
  ): Promise<{ counts: UpsertCounts; conflicts: readonly UndoConflict[] }> {
    const untouched = await this.#untouched(options, changes);
    const patches = changes.map((change) => {
      const { accountId } = change;
      const revision = untouched.get(change) ?? NO_REVISION;
      // In a dry run the account is not changed by others, and its revision is not that of the database.
      const isFree = options.undoId === undefined && untouched.has(change);
      return { accountId, fields: {}, undo: { archive: true, ...(!isFree && { revision }) } };
    });
    const counts = await write(patches, 0);
    const conflicts = (counts.conflicts ?? []).map(({ index, ...conflict }) =>
      conflictOf(changes[index] as StoredChange, conflict),
    );
    return { counts, conflicts };
  }

  /** The changes whose accounts only the run and its undos have changed since, with the revision of the account. */
  async #untouched(
    options: UndoOptions,
    changes: readonly StoredChange[],
  ): Promise<Map<StoredChange, number>> {
    const { tenantId, runId } = options;
    const undos = new Set<number | null>(await this.#runs.undosOf(tenantId, runId));
    const untouched = new Map<StoredChange, number>();
    let rest = await this.#candidates(tenantId, changes);
    while (rest.length > 0) {
      const starts = rest.map(({ next }) => next);
      const chains = await this.#chains.read(tenantId, starts, CHAIN_BOUNDS);
      rest = rest.flatMap((candidate, i) => {
        const next = followChain(candidate, chains[i] ?? [], options, undos);
        if (next === 'untouched') untouched.set(candidate.change, candidate.revision);
        return typeof next === 'string' ? [] : [{ ...candidate, next }];
      });
    }
    return untouched;
  }

  async #candidates(tenantId: number, changes: readonly StoredChange[]): Promise<Candidate[]> {
    const byId = new Map((await this.#heads(tenantId, changes)).map((head) => [head.account_id, head]));
    return changes.flatMap((change) => {
      const { revision, last_change: seq, last_place: place } = byId.get(change.accountId) ?? NO_HEAD;
      return seq === null || place === null ? [] : [{ change, revision, next: { seq, place } }];
    });
  }

  async #revisions(tenantId: number, changes: readonly StoredChange[]): Promise<Map<string, number>> {
    const heads = await this.#heads(tenantId, changes);
    return new Map(heads.map(({ account_id, revision }) => [account_id, revision]));
  }

  async #heads(tenantId: number, changes: readonly StoredChange[]) {
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

/** Whether taking the change back archives its account. */
function archives({ kind, isErased }: StoredChange): boolean {
  return !isErased && (kind === 'created' || kind === 'restored');
}

/** Whether others have changed the account since, or where its chain continues. */
function followChain(
  { change }: Candidate,
  links: readonly ChainLink[],
  { runId, requestId }: UndoOptions,
  undos: ReadonlySet<number | null>,
): 'touched' | 'untouched' | ChangePointer {
  for (const link of links) {
    if (link.seq === change.seq) return 'untouched';
    const isOfRun = link.runId === runId && (requestId === undefined || link.requestId === requestId);
    if (!isOfRun && !undos.has(link.runId)) return 'touched';
  }
  const last = links.at(-1);
  return (last && headOf(last.text).previous) ?? 'touched';
}

function conflictOf(change: StoredChange, conflict: Conflict): UndoConflict {
  const { accountId, changes } = change;
  const [before, left] = (conflict.field !== null && changes[conflict.field]) || [null, null];
  return { accountId, before, left, ...conflict };
}

function sum(...all: readonly (UpsertCounts | undefined)[]): Record<Outcome, number> {
  const total = noCounts();
  for (const counts of all) {
    if (counts === undefined) continue;
    for (const outcome of Object.keys(total) as Outcome[]) total[outcome] += counts[outcome];
  }
  return total;
}
