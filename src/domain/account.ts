import { type JsonObject, type JsonValue, jsonEqual } from './json.js';

/** `fields` contains everything except the identifier, under its wire name; a cleared field is absent. */
export interface Account {
  readonly accountId: string;
  readonly fields: JsonObject;
  readonly revision: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Null unless the account is archived: it keeps its values, and listings leave it out. */
  readonly archivedAt: number | null;
  /** Null unless the account is deleted. */
  readonly deletedAt: number | null;
}

/** The change that one record requests: `null` clears a field, a missing field stays unchanged. */
export interface AccountPatch {
  readonly accountId: string;
  readonly fields: JsonObject;
  /** Deletes the account and erases its values; `fields` is then ignored. */
  readonly erase?: true;
  /** The patch changes an account that exists, and neither creates nor restores one by itself. */
  readonly edit?: EditRules;
  /** Those of its fields that another source owns. */
  readonly owned?: ReadonlyMap<string, OwnedFieldMode>;
}

/** What happens to a value of a source that does not own the field, if the stored value differs. */
export const OWNED_FIELD_MODES = ['reject', 'keep'] as const;
export type OwnedFieldMode = (typeof OWNED_FIELD_MODES)[number];

/** Which accounts a request may write: records for others are skipped. */
export const WRITE_MODES = ['upsert', 'update-only', 'create-only'] as const;
export type WriteMode = (typeof WRITE_MODES)[number];

/**
 * What a patch depends on that changes an account that exists: an edit, the undo of a change, or the archiving of an
 * account that is missing from a run. Where a condition is not met, it is a conflict.
 */
export interface EditRules {
  /** Changes or deletes the account only at this revision. */
  readonly revision?: number;
  /** The values of fields before the change: a field that has another one now is a conflict. */
  readonly expected?: JsonObject;
  /** Whether to archive (true) or to restore (false) the account. */
  readonly archive?: boolean;
  /** Archives the account only at this revision. Its fields are changed at any. */
  readonly archiveAtRevision?: number;
  /** When the account was created: with another time, it was deleted and created again since. */
  readonly createdAt?: number;
}

/** Something that a patch with `edit` does not change: one field, or the account as a whole. */
export interface Conflict {
  readonly field: string | null;
  /** `deleted` if the account is deleted. */
  readonly reason: 'changed' | 'deleted';
  /** The value of the field. */
  readonly now: JsonValue;
}

const CHANGED: Conflict = { field: null, reason: 'changed', now: null };
const DELETED: Conflict = { field: null, reason: 'deleted', now: null };

/** Field name → value before, value after; `null` stands for absent. */
export type FieldChanges = Readonly<Record<string, readonly [from: JsonValue, to: JsonValue]>>;

export type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped' | 'archived' | 'restored' | 'deleted';

export interface PatchResult {
  readonly outcome: Exclude<Outcome, 'skipped'>;
  readonly account: Account;
  readonly changes: FieldChanges;
  /** Only of a patch with `edit`, if there are any. */
  readonly conflicts?: readonly Conflict[];
  /** The fields that were left as they are, because another source owns them. */
  readonly kept?: readonly string[] | undefined;
}

/** Replaces the values in the history of a deleted account. It still shows that there was a value. */
export const ERASED = '[erased]';

/**
 * Applies a patch to the current state of an account, and returns the new state with the list of changed fields.
 *
 * - A patch to a deleted account creates it again. Its revision continues, so that no two states share a revision.
 * - A patch to an archived account restores it, even if it changes no field.
 * - With `mayMutate`, the fields of `current` are changed in place: copying them for each of many patches to one
 *   account would take quadratic time.
 */
export function applyPatch(
  current: Account | undefined,
  patch: AccountPatch,
  at: number,
  mayMutate = false,
): PatchResult {
  const existing = current === undefined || current.deletedAt !== null ? undefined : current;
  const wanted = patch.edit?.revision;
  if (existing !== undefined && (wanted ?? existing.revision) !== existing.revision) {
    return { outcome: 'unchanged', account: existing, changes: {}, conflicts: [CHANGED] };
  }
  if (patch.erase) return erase(current, existing, patch, at);
  if (patch.edit) return applyEdit(current, existing, patch, patch.edit, at);
  let fields: Record<string, JsonValue> = existing?.fields ?? {};
  const changes: Record<string, readonly [JsonValue, JsonValue]> = {};
  let changed = false;
  const { owned } = patch;
  let kept: string[] | undefined;
  for (const name of Object.keys(patch.fields)) {
    const from = storedValue(fields, name);
    const to = patch.fields[name] ?? null;
    if (jsonEqual(from, to)) continue;
    if (owned?.get(name) === 'keep') {
      kept ??= [];
      kept.push(name);
      continue;
    }
    if (!changed && !mayMutate) fields = { ...fields };
    changed = true;
    changes[name] = [from, to];
    if (to === null) delete fields[name];
    else fields[name] = to;
  }
  if (existing !== undefined) {
    const isRestored = existing.archivedAt !== null;
    if (!changed && !isRestored) return { outcome: 'unchanged', account: existing, changes, kept };
    const account = {
      ...existing,
      fields,
      revision: existing.revision + 1,
      updatedAt: at,
      archivedAt: null,
    };
    return { outcome: isRestored ? 'restored' : 'updated', account, changes, kept };
  }
  const revision = (current?.revision ?? 0) + 1;
  const account = {
    accountId: patch.accountId,
    fields,
    revision,
    createdAt: at,
    updatedAt: at,
    archivedAt: null,
    deletedAt: null,
  };
  return { outcome: 'created', account, changes, kept };
}

/** Whether a request in this mode writes the account. */
export function fitsMode(mode: WriteMode, current: Account | undefined): boolean {
  if (mode === 'upsert') return true;
  const exists = current !== undefined && current.deletedAt === null;
  return exists === (mode === 'update-only');
}

/** The fields that a patch may not change, because another source owns them. */
export function refusedFields(current: Account | undefined, { fields, owned }: AccountPatch): string[] {
  if (owned === undefined) return [];
  const stored = current === undefined || current.deletedAt !== null ? {} : current.fields;
  return Object.keys(fields).filter((name) => {
    if (owned.get(name) !== 'reject') return false;
    return !jsonEqual(storedValue(stored, name), fields[name] ?? null);
  });
}

/** Null if there is none. */
function storedValue(fields: JsonObject, name: string): JsonValue {
  return Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
}

function erase(
  current: Account | undefined,
  existing: Account | undefined,
  patch: AccountPatch,
  at: number,
): PatchResult {
  if (existing === undefined) {
    return { ...nothing(current, patch, at), ...(patch.edit && { conflicts: [DELETED] }) };
  }
  const changes = Object.fromEntries(
    Object.keys(existing.fields).map((name) => [name, [ERASED, null] as const]),
  );
  const account = {
    ...existing,
    fields: {},
    revision: existing.revision + 1,
    updatedAt: at,
    archivedAt: null,
    deletedAt: at,
  };
  return { outcome: 'deleted', account, changes };
}

/** A field that already has the value to which it is changed is no conflict. */
function applyEdit(
  current: Account | undefined,
  existing: Account | undefined,
  patch: AccountPatch,
  { expected, archive, archiveAtRevision, createdAt }: EditRules,
  at: number,
): PatchResult {
  if (existing === undefined || (createdAt ?? existing.createdAt) !== existing.createdAt) {
    return { ...nothing(current, patch, at), conflicts: [DELETED] };
  }
  const conflicts: Conflict[] = [];
  const fields = { ...existing.fields };
  const changes: Record<string, readonly [JsonValue, JsonValue]> = {};
  const kept: string[] = [];
  for (const name of Object.keys(patch.fields)) {
    const now = storedValue(fields, name);
    const to = patch.fields[name] ?? null;
    if (jsonEqual(now, to)) continue;
    if (patch.owned?.get(name) === 'keep') {
      kept.push(name);
      continue;
    }
    if (expected !== undefined && !jsonEqual(now, expected[name] ?? null)) {
      conflicts.push({ field: name, reason: 'changed', now });
      continue;
    }
    changes[name] = [now, to];
    if (to === null) delete fields[name];
    else fields[name] = to;
  }
  let { archivedAt } = existing;
  if (archive === false) archivedAt = null;
  else if (archive && archivedAt === null) {
    if ((archiveAtRevision ?? existing.revision) === existing.revision) archivedAt = at;
    else conflicts.push(CHANGED);
  }
  const outcome = outcomeOf(existing.archivedAt, archivedAt, Object.keys(changes).length > 0);
  const account =
    outcome === 'unchanged'
      ? existing
      : { ...existing, fields, revision: existing.revision + 1, updatedAt: at, archivedAt };
  return {
    outcome,
    account,
    changes,
    ...(conflicts.length > 0 && { conflicts }),
    ...(kept.length > 0 && { kept }),
  };
}

function outcomeOf(
  wasArchivedAt: number | null,
  archivedAt: number | null,
  isChanged: boolean,
): PatchResult['outcome'] {
  if (wasArchivedAt !== archivedAt) return archivedAt === null ? 'restored' : 'archived';
  return isChanged ? 'updated' : 'unchanged';
}

/** The result for an account that does not exist. */
function nothing(current: Account | undefined, { accountId }: AccountPatch, at: number): PatchResult {
  const times = { createdAt: at, updatedAt: at, archivedAt: null, deletedAt: at };
  const account = current ?? { accountId, fields: {}, revision: 0, ...times };
  return { outcome: 'unchanged', account, changes: {} };
}
