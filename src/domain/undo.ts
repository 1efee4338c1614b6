import type { AccountPatch, FieldChanges, Outcome } from './account.js';
import { type JsonValue, jsonEqual } from './json.js';

/** One change of an account. */
interface Change {
  readonly kind: Exclude<Outcome, 'unchanged' | 'deleted'>;
  readonly changes: FieldChanges;
}

/** Whether an account was there, archived or missing. */
type State = 'listed' | 'archived' | 'missing';

/**
 * What several changes of one account have changed together, added up from the newest to the oldest. A field counts with
 * the value before the oldest change and the value after the newest. If others have changed a field in between, their
 * value is the one before.
 */
export class NetChange {
  readonly #before = new Map<string, JsonValue>();
  readonly #left = new Map<string, JsonValue>();
  #stateBefore: State | undefined;
  #stateLeft: State | undefined;

  /** Adds an older change. */
  add({ kind, changes }: Change): void {
    for (const name of Object.keys(changes)) {
      const [from, to] = changes[name] as FieldChanges[string];
      if (!this.#left.has(name)) this.#left.set(name, to);
      else if (!jsonEqual(this.#before.get(name) ?? null, to)) continue;
      this.#before.set(name, from);
    }
    if (kind === 'updated') return;
    this.#stateLeft ??= kind === 'archived' ? 'archived' : 'listed';
    this.#stateBefore = kind === 'created' ? 'missing' : kind === 'archived' ? 'listed' : 'archived';
  }

  /** The value of a field before and after. */
  valuesOf(field: string): readonly [before: JsonValue, left: JsonValue] {
    return [this.#before.get(field) ?? null, this.#left.get(field) ?? null];
  }

  /**
   * The patch that takes it back; undefined if nothing is changed.
   *
   *   created           archives the account, which keeps its values
   *   fields            return to their values before, if they still have those that were left
   *   archived          is restored
   *   restored          is archived
   *
   * An account is archived only at the given revision. With `isForced`, changes since are overwritten.
   */
  patch(accountId: string, revision: number, isForced: boolean): AccountPatch | undefined {
    const archive = this.#archive();
    const fields: Record<string, JsonValue> = {};
    const expected: Record<string, JsonValue> = {};
    if (this.#stateBefore !== 'missing') {
      for (const [name, before] of this.#before) {
        const left = this.#left.get(name) ?? null;
        if (jsonEqual(before, left)) continue;
        fields[name] = before;
        expected[name] = left;
      }
    }
    if (archive === undefined && Object.keys(fields).length === 0) return undefined;
    const edit = {
      ...(!isForced && { expected }),
      ...(archive !== undefined && { archive }),
      ...(archive && !isForced && { archiveAtRevision: revision }),
    };
    return { accountId, fields, edit };
  }

  /** Whether taking it back archives or restores the account. */
  #archive(): boolean | undefined {
    if (this.#stateLeft === 'listed' && this.#stateBefore !== 'listed') return true;
    return this.#stateLeft === 'archived' && this.#stateBefore === 'listed' ? false : undefined;
  }
}
