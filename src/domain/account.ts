import { type JsonObject, type JsonValue, jsonEqual } from './json.js';

/** `fields` holds everything but the identifier, under the names of the interface; a cleared field is absent. */
export interface Account {
  readonly accountId: string;
  readonly fields: JsonObject;
  readonly revision: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What one record of a request asks for: `null` clears a field, a field left out is kept. */
export interface AccountPatch {
  readonly accountId: string;
  readonly fields: JsonObject;
}

/** Field name → value before, value after; `null` stands for absent. */
export type FieldChanges = Readonly<Record<string, readonly [from: JsonValue, to: JsonValue]>>;

export type Outcome = 'created' | 'updated' | 'unchanged';

export interface PatchResult {
  readonly outcome: Outcome;
  readonly account: Account;
  readonly changes: FieldChanges;
}

export function applyPatch(current: Account | undefined, patch: AccountPatch, at: number): PatchResult {
  const fields: Record<string, JsonValue> = { ...current?.fields };
  const changes: Record<string, readonly [JsonValue, JsonValue]> = {};
  let changed = false;
  for (const name of Object.keys(patch.fields)) {
    const from = Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
    const to = patch.fields[name] ?? null;
    if (jsonEqual(from, to)) continue;
    changed = true;
    changes[name] = [from, to];
    if (to === null) delete fields[name];
    else fields[name] = to;
  }
  if (current === undefined) {
    const account = { accountId: patch.accountId, fields, revision: 1, createdAt: at, updatedAt: at };
    return { outcome: 'created', account, changes };
  }
  if (!changed) return { outcome: 'unchanged', account: current, changes };
  const account = { ...current, fields, revision: current.revision + 1, updatedAt: at };
  return { outcome: 'updated', account, changes };
}
