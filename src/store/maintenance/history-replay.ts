import { ERASED, type FieldChanges } from '../../domain/account.js';
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../../domain/json.js';
import { type ChangeKind, readKind } from '../changes/change-kind.js';
import type { Row } from '../schema/scan.js';

/** A value of which it is only known that there was one. */
const SOME = Symbol('some value');
/** Nothing is known: what would tell is not kept any more. */
const UNKNOWN = Symbol('unknown');
type Known = JsonValue | typeof SOME | typeof UNKNOWN;

export interface ReplayedChange {
  readonly kind: ChangeKind;
  readonly changes: FieldChanges;
}

/**
 * Goes through the history of one account, oldest entry first, and comes to the state in which it should be. The oldest
 * entries may be missing, and where old ones are removed others, too; else each has to follow the one before.
 */
export class HistoryReplay {
  readonly problems: string[] = [];
  readonly #mayHaveHoles: boolean;
  readonly #values = new Map<string, JsonValue | typeof SOME>();
  /** Whether a field without a value here has none; else it may have one from before the first entry. */
  #isWhole = false;
  #last: { readonly revision: number; readonly at: number; readonly kind: ChangeKind } | undefined;

  constructor(mayHaveHoles: boolean) {
    this.#mayHaveHoles = mayHaveHoles;
  }

  /** What the entry says, where it can be read. */
  add(row: Row<'account_history'>): ReplayedChange | undefined {
    const { revision, at } = row;
    const { kind, isErased } = readKind(row);
    if (this.#last !== undefined && revision !== this.#last.revision + 1) {
      const isHole = this.#mayHaveHoles && revision > this.#last.revision;
      if (!isHole) this.problems.push(`revision ${revision} comes behind ${this.#last.revision}`);
      this.#isWhole = false;
      this.#values.clear();
    }
    this.#last = { revision, at, kind };
    const changes = readChanges(row.changes);
    if (changes === undefined) {
      this.problems.push(`the changes of revision ${revision} cannot be read`);
      return undefined;
    }
    if (kind === 'created') this.#begin(revision);
    for (const name of Object.keys(changes)) {
      const [from, to] = changes[name] as FieldChanges[string];
      if (!follows(this.#valueOf(name), from, isErased)) {
        this.problems.push(`${name} had another value before revision ${revision} than that says`);
      }
      const value = isErased && to === ERASED ? SOME : to;
      if (value === null && this.#isWhole) this.#values.delete(name);
      else this.#values.set(name, value);
    }
    if (kind === 'deleted') this.#end(revision);
    return { kind, changes };
  }

  /** How what is stored differs from what the history leads to. */
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
    return this.#isWhole ? null : UNKNOWN;
  }

  #begin(revision: number): void {
    if ([...this.#values.values()].some((value) => value !== null)) {
      this.problems.push(`revision ${revision} creates it, though it is there`);
    }
    this.#values.clear();
    this.#isWhole = true;
  }

  #end(revision: number): void {
    for (const [name, value] of this.#values) {
      if (value !== null) this.problems.push(`revision ${revision} deletes it, but not ${name}`);
    }
    this.#values.clear();
    this.#isWhole = true;
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
    // Told as what it is.
  }
  return undefined;
}
