import { isDeepStrictEqual } from 'node:util';
import type { Attribute, Json, Owner } from './stored-value.js';
import type { Rules } from './validate-record.js';

export type Scope = 'sync' | 'read' | 'admin';

export interface Key {
  readonly id: string;
  readonly secret: string;
  readonly scopes: readonly Scope[];
  readonly label: string;
  readonly created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

/** The time, the id and the key of a request. */
export interface Call {
  readonly at: number;
  readonly requestId: string;
  readonly key: Key;
}

interface FieldChange {
  readonly field: string;
  readonly from: Json;
  readonly to: Json;
}

export interface Change {
  readonly account_id: string;
  readonly revision: number;
  readonly kind: 'created' | 'updated' | 'archived' | 'restored' | 'deleted';
  readonly at: string;
  readonly request_id: string;
  readonly key_id: string;
  readonly user: null;
  readonly source: string;
  readonly run_id: string | null;
  is_erased: boolean;
  changes: FieldChange[];
}

export interface Rejection {
  readonly status: number;
  readonly index: number | null;
  readonly account_id: string | null;
  readonly errors: { [attribute: string]: readonly string[] } | null;
  readonly problem: string | null;
  readonly record: Json;
}

interface Origin extends Pick<Change, 'at' | 'request_id' | 'key_id' | 'user' | 'source' | 'run_id'> {
  readonly operation: string;
}

/** Something that an undo leaves as it is. */
export interface UndoConflict {
  readonly account_id: string;
  readonly field: string | null;
  readonly reason: 'changed' | 'deleted';
  readonly before: Json;
  readonly left: Json;
  readonly now: Json;
}

export type Outcome = 'created' | 'updated' | 'unchanged';

/** Fields that are no attributes, but may have an owner like one. */
export const OWNABLE = ['name', 'parent_account_id'];
/** The attributes of every tenant. */
export const BUILT_IN = {
  licenses: 'integer',
  custom_Is_Valid: 'boolean',
  custom_External_Created_On: 'date',
  custom_External_Created_At: 'datetime',
} as const;
const ERASED = '[erased]';
const byField = (a: FieldChange, b: FieldChange) => (a.field < b.field ? -1 : 1);
export const isoTime = (at: number) => new Date(at).toISOString();

/** The id of any run: the model does not predict ids. */
export const SOME_RUN = 'some run';
export const sourceOf = ({ label }: Pick<Key, 'label'>) => label || 'default';

const originOf = ({ at, requestId, key }: Call) => ({
  at: isoTime(at),
  request_id: requestId,
  key_id: key.id,
  user: null,
  source: sourceOf(key),
});

/** The expected data of a tenant. Revisions and times of accounts are derived from the changes. */
export class TenantModel {
  readonly rules: Rules = {
    account_ids: 'any',
    undeclared_fields: 'keep',
    history_days: null,
    rejection_days: null,
    attributes: new Map<string, Attribute>(
      Object.entries(BUILT_IN).map(([name, type]) => [
        name,
        { type, choices: [], read_only: false, index: 'none', owner: null },
      ]),
    ),
    blocked: new Set(),
  };
  /** Names of attributes that can be deleted. */
  readonly declared = new Set<string>();
  /** All fields except the id, by name. */
  readonly accounts = new Map<string, Map<string, Json>>();
  /** Oldest first. */
  readonly changes: Change[] = [];
  readonly rejections: (Rejection & Origin)[] = [];
  areRejectionsKnown = true;
  /** Times of all rejections, also of those that were removed from the list. */
  readonly rejectedAt: number[] = [];
  /** The undos: their run, and the run that each takes back, by request. */
  readonly undos = new Map<string, { readonly run: string; readonly undoes: string }>();
  /** What each tracked source has pushed, without what was archived because it was missing. */
  readonly pushed = new Map<string, Set<string>>();
  /** The tracked sources of which the accounts that they have created before count as pushed. */
  readonly seeded = new Set<string>();
  /** The changes that runs made at their end: stored after the others of their request, and taken back before them. */
  readonly archivedAsMissing = new Set<Change>();
  /** Times of deletions of archived accounts. */
  readonly deletedFromArchive: string[] = [];
  /** Oldest first. */
  readonly keys: Key[] = [];
  /** The position of a consumer of the change feed. */
  readonly consumer = { cursor: '', count: 0 };
  /** Accounts as last read, with their ETag for conditional requests. */
  readonly seen = new Map<string, { readonly etag: string; readonly body: unknown }>();

  constructor(
    readonly name: string,
    readonly createdAt: number,
  ) {}

  /** A copy, to try operations without changing this model. */
  fork(): TenantModel {
    return Object.assign(new TenantModel(this.name, this.createdAt), structuredClone({ ...this }));
  }

  /** The fields of a patch that another source owns and that have another value, by what happens to them. */
  fieldsOfOthers(id: string, patch: ReadonlyMap<string, Json>, { key }: Call) {
    const fields: Record<Owner['others'], string[]> = { reject: [], keep: [] };
    for (const [field, value] of patch) {
      const owner = this.rules.attributes.get(field)?.owner ?? null;
      if (owner === null || owner.source === sourceOf(key)) continue;
      if (!isDeepStrictEqual(this.accounts.get(id)?.get(field) ?? null, value))
        fields[owner.others].push(field);
    }
    return fields;
  }

  /** Stores a patch that has no fields for which it would be rejected. */
  upsert(
    id: string,
    patch: ReadonlyMap<string, Json>,
    call: Call,
  ): { outcome: Outcome; changed: string[]; kept: string[] } {
    const kept = this.fieldsOfOthers(id, patch, call).keep;
    const before = this.accounts.get(id);
    const after = new Map(before);
    const changes: FieldChange[] = [];
    for (const [field, to] of patch) {
      const from = after.get(field) ?? null;
      if (isDeepStrictEqual(from, to) || kept.includes(field)) continue;
      changes.push({ field, from, to });
      if (to === null) after.delete(field);
      else after.set(field, to);
    }
    const changed = changes.map(({ field }) => field).sort();
    const isRestored = this.archivedAt(id) !== null;
    if (before !== undefined && changed.length === 0 && !isRestored)
      return { outcome: 'unchanged', changed, kept };
    const outcome = before === undefined ? 'created' : 'updated';
    this.accounts.set(id, after);
    this.#addChange(id, isRestored ? 'restored' : outcome, call, changes.sort(byField));
    return { outcome, changed, kept };
  }

  /** Edits an account, which neither creates nor restores it by itself. */
  edit(id: string, patch: ReadonlyMap<string, Json>, archived: boolean | undefined, call: Call) {
    const kept = this.fieldsOfOthers(id, patch, call).keep;
    const wasArchived = this.archivedAt(id) !== null;
    const fields = new Map(this.accounts.get(id));
    const changes: FieldChange[] = [];
    for (const [field, to] of patch) {
      const from = fields.get(field) ?? null;
      if (isDeepStrictEqual(from, to) || kept.includes(field)) continue;
      changes.push({ field, from, to });
      if (to === null) fields.delete(field);
      else fields.set(field, to);
    }
    changes.sort(byField);
    const kind = (archived ?? wasArchived) === wasArchived ? 'updated' : archived ? 'archived' : 'restored';
    if (kind === 'updated' && changes.length === 0) return { outcome: 'unchanged', changes, kept };
    this.accounts.set(id, fields);
    this.#addChange(id, kind, call, changes);
    return { outcome: kind, changes, kept };
  }

  /** When the account was archived; null if it is not archived now. */
  archivedAt(id: string): string | null {
    const last = this.changesOf(id).findLast(({ kind }) => kind !== 'updated');
    return last?.kind === 'archived' ? last.at : null;
  }

  /** The ids of the accounts that are not archived. */
  get listed(): string[] {
    return [...this.accounts.keys()].filter((id) => this.archivedAt(id) === null);
  }

  /** Remembers an account that a request names, also in a rejected record. */
  push(id: string, { key }: Call): void {
    this.pushed.get(sourceOf(key))?.add(id);
  }

  /** The accounts that a source has created. */
  createdBy(source: string): string[] {
    const created = this.changes.filter((change) => change.kind === 'created' && change.source === source);
    return created.map(({ account_id }) => account_id);
  }

  archiveMissing(id: string, call: Call): void {
    this.archivedAsMissing.add(this.#addChange(id, 'archived', call, []));
  }

  /** Takes back the changes of a request, which belongs to a run. */
  undo(request: string, isForced: boolean, run: string, call: Call) {
    this.undos.set(call.requestId, { run: `undo ${call.requestId}`, undoes: this.#runOf(request, run) });
    const counts = { updated: 0, archived: 0, restored: 0 };
    const conflicts: UndoConflict[] = [];
    const all = this.changes.filter(({ request_id }) => request_id === request);
    const missing = all.filter((change) => this.archivedAsMissing.has(change));
    for (const id of new Set([...missing, ...all].map(({ account_id }) => account_id))) {
      const ofAccount = all.filter(({ account_id }) => account_id === id);
      const last = ofAccount.at(-1) as Change;
      const whole = { account_id: id, field: null, before: null, left: null, now: null };
      if (last.is_erased) {
        conflicts.push({ ...whole, reason: 'deleted' });
        continue;
      }
      // Since the account was last created: what was before is erased.
      const changes = ofAccount.filter(({ is_erased }) => !is_erased);
      const states = changes.filter(({ kind }) => kind !== 'updated');
      const isCreated = states[0]?.kind === 'created';
      const wasListed = states[0] === undefined || states[0].kind === 'archived';
      const isLeftListed = states.length === 0 || states.at(-1)?.kind !== 'archived';
      const isArchived = this.archivedAt(id) !== null;
      const since = this.changesOf(id).slice((states[0] ?? last).revision);
      const isTouched = !isForced && !since.every((later) => this.#isOf(later, request, run));
      const fields = isCreated ? [] : this.#takeBack(id, changes, isForced, conflicts);
      const mustArchive = !wasListed && isLeftListed && !isArchived;
      if (mustArchive && isTouched) conflicts.push({ ...whole, reason: 'changed' });
      const isRestored = wasListed && !isLeftListed && isArchived;
      const kind = mustArchive && !isTouched ? 'archived' : isRestored ? 'restored' : 'updated';
      if (kind === 'updated' && fields.length === 0) continue;
      this.#addChange(id, kind, call, fields.sort(byField));
      counts[kind] += 1;
    }
    return { counts, conflicts };
  }

  /** Returns each field to its value before the changes. If others have changed it in between, to theirs. */
  #takeBack(account_id: string, changes: readonly Change[], isForced: boolean, conflicts: UndoConflict[]) {
    const fields = this.accounts.get(account_id) as Map<string, Json>;
    const names = new Set(changes.flatMap((change) => change.changes.map(({ field }) => field)));
    return [...names].flatMap((field): FieldChange[] => {
      const ofField = changes.flatMap((change) => change.changes.filter((one) => one.field === field));
      const left = ofField.at(-1)?.to ?? null;
      let before = left;
      for (const { from, to } of ofField.toReversed()) if (isDeepStrictEqual(to, before)) before = from;
      const now = fields.get(field) ?? null;
      if (isDeepStrictEqual(before, left) || isDeepStrictEqual(now, before)) return [];
      if (!isForced && !isDeepStrictEqual(now, left)) {
        conflicts.push({ account_id, field, reason: 'changed', before, left, now });
        return [];
      }
      if (before === null) fields.delete(field);
      else fields.set(field, before);
      return [{ field, from: now, to: before }];
    });
  }

  /** Whether a change belongs to the request, or to an undo of its run, or to one of that, and so on. */
  #isOf({ request_id }: Change, request: string, run: string): boolean {
    if (request_id === request) return true;
    const root = this.#runOf(request, run);
    for (let undo = this.undos.get(request_id); undo !== undefined; ) {
      if (undo.undoes === root) return true;
      const { undoes } = undo;
      undo = [...this.undos.values()].find((other) => other.run === undoes);
    }
    return false;
  }

  /** The run of an undo is named after its request, that of others by the service. */
  #runOf(request: string, run: string): string {
    return this.undos.get(request)?.run ?? run;
  }

  /** Deletes an account. Its values in the history and its rejections are removed, too. */
  erase(id: string, call: Call, isOfAccount: (rejection: Rejection) => boolean): void {
    const fields = [...(this.accounts.get(id)?.keys() ?? [])].sort();
    const erased = (value: Json) => (value === null ? null : ERASED);
    for (const change of this.changesOf(id)) {
      change.is_erased = true;
      change.changes = change.changes.map(({ field, from, to }) => ({
        field,
        from: erased(from),
        to: erased(to),
      }));
    }
    const removed = fields.map((field) => ({ field, from: ERASED, to: null }));
    const wasArchived = this.archivedAt(id) !== null;
    this.#addChange(id, 'deleted', call, removed).is_erased = true;
    if (wasArchived) this.deletedFromArchive.push(isoTime(call.at));
    this.accounts.delete(id);
    const kept = this.rejections.filter((rejection) => !isOfAccount(rejection));
    this.rejections.splice(0, this.rejections.length, ...kept);
  }

  reject(operation: string, call: Call, rejection: Partial<Rejection>): void {
    const defaults = {
      status: 400,
      index: null,
      account_id: null,
      errors: null,
      problem: null,
      record: null,
    };
    // A request without the scope has no run.
    const run_id = rejection.status === 403 ? null : SOME_RUN;
    this.rejections.push({ ...defaults, ...rejection, ...originOf(call), operation, run_id });
    this.rejectedAt.push(call.at);
  }

  changesOf(id: string): Change[] {
    return this.changes.filter(({ account_id }) => account_id === id);
  }

  #addChange(id: string, kind: Change['kind'], call: Call, changes: FieldChange[]): Change {
    const revision = this.changesOf(id).length + 1;
    const by = { ...originOf(call), run_id: kind === 'deleted' ? null : SOME_RUN };
    const change: Change = { account_id: id, revision, kind, ...by, is_erased: false, changes };
    this.changes.push(change);
    return change;
  }
}
