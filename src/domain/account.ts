import { type JsonObject, type JsonValue, jsonEqual } from './json.js';

/** `fields` holds everything but the identifier, under the names of the interface; a cleared field is absent. */
export interface Account {
  readonly accountId: string;
  readonly fields: JsonObject;
  readonly revision: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Null for every account that is there to be seen. */
  readonly deletedAt: number | null;
}

/** What one record of a request asks for: `null` clears a field, a field left out is kept. */
export interface AccountPatch {
  readonly accountId: string;
  readonly fields: JsonObject;
  /** Erases the account instead. */
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

/** Stands in the history where a value was, once its account is deleted: that there was one is still to be seen. */
export const ERASED = '[erased]';

/**
 * A deleted account is created anew; its revision counts on, so that no two states ever share one. The fields of an account
 * that `isOurs` are changed in place: a copy for each of many patches to one account would take quadratic time.
 */
export function applyPatch(
  current: Account | undefined,
  patch: AccountPatch,
  at: number,
  isOurs = false,
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
    if (!changed && !isOurs) fields = { ...fields };
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
