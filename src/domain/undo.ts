import type { AccountPatch, FieldChanges, Outcome } from './account.js';
import type { JsonValue } from './json.js';

/** A change to take back. */
interface Change {
  readonly accountId: string;
  readonly kind: Exclude<Outcome, 'unchanged'>;
  readonly isErased: boolean;
  readonly changes: FieldChanges;
}

/**
 * The patch that takes a change back; undefined if that is impossible, because the account was deleted. The changes of a
 * run are taken back from the newest to the oldest.
 *
 *   created   archives the account, if it was not changed since
 *   updated   each field that still has the value that the change left returns to the value before
 *   archived  the same, and restores the account
 *   restored  the same, and archives the account, if it was not changed since
 *
 * With `isForced`, changes since are overwritten.
 */
export function patchToUndo(change: Change, isForced: boolean): AccountPatch | undefined {
  const { accountId, kind, isErased, changes } = change;
  if (isErased) return undefined;
  const fields: Record<string, JsonValue> = {};
  const expected: Record<string, JsonValue> = {};
  if (kind !== 'created') {
    for (const name of Object.keys(changes)) {
      const [from, to] = changes[name] as FieldChanges[string];
      fields[name] = from;
      expected[name] = to;
    }
  }
  const archive = kind === 'updated' ? undefined : kind !== 'archived';
  const undo = { ...(!isForced && { expected }), ...(archive !== undefined && { archive }) };
  return { accountId, fields, undo };
}
