import { ERASED, type FieldChanges } from '../../domain/account.js';
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../../domain/json.js';
import { type ChangeKind, readKind } from '../changes/change-kind.js';
import type { Row } from '../schema/scan.js';

/** The field had a value, which was erased. */
const SOME = Symbol('some value');
/** The field may or may not have a value: the entries that would show it were removed. */
const UNKNOWN = Symbol('unknown');
type Known = JsonValue | typeof SOME | typeof UNKNOWN;

export interface ReplayedChange {
  readonly kind: ChangeKind;
  readonly changes: FieldChanges;
}

/**
 * Replays the history of one account, oldest entry first, to the state in which the account should be. Each entry has
 * to follow the one before. The oldest entries may be missing; with `mayHaveGaps`, others may be missing too.
 */
export class HistoryReplay {
  readonly problems: string[] = [];
  readonly #mayHaveGaps: boolean;
  readonly #values = new Map<string, JsonValue | typeof SOME>();
  /** Whether a field that is not in `#values` has no value. If false, it may have one from before the first entry. */
  #isComplete = false;
  #last: { readonly revision: number; readonly at: number; readonly kind: ChangeKind } | undefined;

  constructor(mayHaveGaps: boolean) {
    this.#mayHaveGaps = mayHaveGaps;
  }

  /** Returns the change of the entry; undefined if it cannot be read. */
  add(row: Row<'account_history'>): ReplayedChange | undefined {
    const { revision, at } = row;
    const { kind, isErased } = readKind(row);
    if (this.#last !== undefined && revision !== this.#last.revision + 1) {
      const isGap = this.#mayHaveGaps && revision > this.#last.revision;
      if (!isGap) this.problems.push(`revision ${revision} comes after ${this.#last.revision}`);
      this.#isComplete = false;
      this.#values.clear();
    }
    this.#last = { revision, at, kind };
    const changes = readChanges(row.changes);
    if (changes === undefined) {
      this.problems.push(`the changes of revision ${revision} cannot be read`);
      return undefined;
    }
    if (kind === 'created') this.#create(revision);
    for (const name of Object.keys(changes)) {
      const [from, to] = changes[name] as FieldChanges[string];
      if (!follows(this.#valueOf(name), from, isErased)) {
        this.problems.push(`${name} had another value before revision ${revision} than that revision states`);
      }
      const value = isErased && to === ERASED ? SOME : to;
      if (value === null && this.#isComplete) this.#values.delete(name);
      else this.#values.set(name, value);
    }
    if (kind === 'deleted') this.#delete(revision);
    return { kind, changes };
  }

  /** The differences between the stored account and the end of its history, and all problems so far. */
  finish(account: Row<'account'>, fields: JsonObject): string[] {
    const last = this.#last;
    if (last === undefined) return ['it has no history'];
    const { problems } = this;
    if (account.revision !== last.revision) {
      problems.push(`it is at revision ${account.revision}, and its history at ${last.revision}`);
    }
    if (account.updated_at !== last.at) problems.push('its history has another time of the last change');
    if ((account.deleted_at !== null) !== (last.kind === 'deleted')) {
      problems.push(`it is ${account.deleted_at === null ? 'not ' : ''}deleted, unlike in its history`);
    }
    for (const name of new Set([...Object.keys(fields), ...this.#values.keys()])) {
      const stored = Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
      if (!follows(this.#valueOf(name), stored, false)) {
        problems.push(`${name} has another value than at the end of its history`);
      }
    }
    return problems;
  }

  #valueOf(name: string): Known {
    const value = this.#values.get(name);
    if (value !== undefined) return value;
    return this.#isComplete ? null : UNKNOWN;
  }

  #create(revision: number): void {
    if ([...this.#values.values()].some((value) => value !== null)) {
      this.problems.push(`revision ${revision} creates it, though it exists`);
    }
    this.#values.clear();
    this.#isComplete = true;
  }

  #delete(revision: number): void {
    for (const [name, value] of this.#values) {
      if (value !== null) this.problems.push(`revision ${revision} deletes it, but not ${name}`);
    }
    this.#values.clear();
    this.#isComplete = true;
  }
}

function follows(known: Known, value: JsonValue, isErased: boolean): boolean {
  if (known === UNKNOWN) return true;
  if (known === SOME) return value !== null;
  return isErased && value === ERASED ? known !== null : jsonEqual(known, value);
}

function readChanges(text: string): FieldChanges | undefined {
  try {
    const changes: unknown = JSON.parse(text);
    const isPair = (value: unknown) => Array.isArray(value) && value.length === 2;
    if (isJsonObject(changes) && Object.values(changes).every(isPair))
      return changes as unknown as FieldChanges;
  } catch {
    // The caller reports it.
  }
  return undefined;
}
