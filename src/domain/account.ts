import { type JsonObject, type JsonValue, jsonEqual } from './json.js';

/** `fields` contains everything except the identifier, under its wire name; a cleared field is absent. */
export interface Account {
  readonly accountId: string;
  readonly fields: JsonObject;
  readonly revision: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Null unless the account is deleted. */
  readonly deletedAt: number | null;
}

/** The change that one record requests: `null` clears a field, a missing field stays unchanged. */
export interface AccountPatch {
  readonly accountId: string;
  readonly fields: JsonObject;
  /** Deletes the account and erases its values; `fields` is then ignored. */
  readonly erase?: true;
}

/** Field name → value before, value after; `null` stands for absent. */
export type FieldChanges = Readonly<Record<string, readonly [from: JsonValue, to: JsonValue]>>;

export type Outcome = 'created' | 'updated' | 'unchanged' | 'deleted';

export interface PatchResult {
  readonly outcome: Outcome;
  readonly account: Account;
  readonly changes: FieldChanges;
}

/** Replaces the values in the history of a deleted account. It still shows that there was a value. */
export const ERASED = '[erased]';

/**
 * Applies a patch to the current state of an account, and returns the new state with the list of changed fields.
 *
 * - A patch to a deleted account creates it again. Its revision continues, so that no two states share a revision.
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
  if (patch.erase) return erase(current, existing, patch, at);
  let fields: Record<string, JsonValue> = existing?.fields ?? {};
  const changes: Record<string, readonly [JsonValue, JsonValue]> = {};
  let changed = false;
  for (const name of Object.keys(patch.fields)) {
    const from = Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
    const to = patch.fields[name] ?? null;
    if (jsonEqual(from, to)) continue;
    if (!changed && !mayMutate) fields = { ...fields };
    changed = true;
    changes[name] = [from, to];
    if (to === null) delete fields[name];
    else fields[name] = to;
  }
  if (existing !== undefined) {
    if (!changed) return { outcome: 'unchanged', account: existing, changes };
    const account = { ...existing, fields, revision: existing.revision + 1, updatedAt: at };
    return { outcome: 'updated', account, changes };
  }
  const revision = (current?.revision ?? 0) + 1;
  const account = {
    accountId: patch.accountId,
    fields,
    revision,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  };
  return { outcome: 'created', account, changes };
}

function erase(
  current: Account | undefined,
  existing: Account | undefined,
  { accountId }: AccountPatch,
  at: number,
): PatchResult {
  if (existing === undefined) {
    const nothing = { accountId, fields: {}, revision: 0, createdAt: at, updatedAt: at, deletedAt: at };
    return { outcome: 'unchanged', account: current ?? nothing, changes: {} };
  }
  const changes = Object.fromEntries(
    Object.keys(existing.fields).map((name) => [name, [ERASED, null] as const]),
  );
  const account = {
    ...existing,
    fields: {},
    revision: existing.revision + 1,
    updatedAt: at,
    deletedAt: at,
  };
  return { outcome: 'deleted', account, changes };
}
