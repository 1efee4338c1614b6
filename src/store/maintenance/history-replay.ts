import { ERASED, type FieldChanges } from '../../domain/account.js';
import { type JsonObject, type JsonValue, jsonEqual } from '../../domain/json.js';
import type { ChangeKind, StoredChange } from '../schema/change-set.js';
import type { Row } from '../schema/scan.js';

/** The field had a value, which was erased. */
const SOME = Symbol('some value');

export interface ReplayedChange extends StoredChange {
  readonly at: number;
}

export interface ReplayOptions {
  readonly mayHaveGaps: boolean;
  /** Whether values of changes before a deletion may still be there, because a job has yet to erase them. */
  readonly isErasurePending: boolean;
}

/**
 * Replays the history of one account backwards, newest change first, from the stored account to its creation. Each
 * change has to lead to the state that the newer ones started from. The oldest changes may be missing. With
 * `mayHaveGaps`, others may be missing too: earlier versions kept the oldest longest. The state before a gap is unknown.
 */
export class HistoryReplay {
  readonly problems: string[] = [];
  readonly #account: Row<'account'>;
  readonly #values: Map<string, JsonValue | typeof SOME>;
  readonly #options: ReplayOptions;
  /** Whether a field that is not in `#values` has no value. If false, it may have had one. */
  #isComplete = true;
  #isDeleted = false;
  /** Whether the account was archived after the next older change; undefined before a gap. */
  #isArchived: boolean | undefined;
  /** Whether a change that states it was replayed. */
  #hasState = false;
  #newer: { readonly revision: number; readonly kind: ChangeKind } | undefined;

  constructor(account: Row<'account'>, fields: JsonObject, options: ReplayOptions) {
    this.#account = account;
    this.#values = new Map(Object.entries(fields));
    this.#options = options;
    this.#isArchived = account.archived_at !== null;
  }

  /** Whether a change can be the next one. */
  accepts({ accountId, revision }: StoredChange): boolean {
    return accountId === this.#account.account_id && revision < (this.#newer?.revision ?? Infinity);
  }

  add(change: ReplayedChange): void {
    const { seq, revision, kind, isErased, changes } = change;
    if (this.#newer === undefined) this.#start(change);
    else this.#follow(revision, this.#newer);
    this.#newer = { revision, kind };
    this.#replayArchive(change);
    if (kind === 'deleted') this.#delete(revision);
    else if (this.#isDeleted && !isErased && !this.#options.isErasurePending) {
      this.problems.push(`revision ${revision} still has values, though the account was deleted since`);
    }
    for (const name of Object.keys(changes)) {
      const [from, to] = changes[name] as FieldChanges[string];
      if (!this.#has(name, to, isErased)) {
        this.problems.push(`${name} has another value after revision ${revision} than that revision states`);
      }
      if (from === null && this.#isComplete) this.#values.delete(name);
      else this.#values.set(name, isErased && from === ERASED ? SOME : from);
    }
    if (kind === 'created') this.#create(revision);
    if (revision === 1 && this.#account.first_change !== seq) {
      this.problems.push('its first change is not the one that it points to');
    }
  }

  finish(): readonly string[] {
    if (this.#newer === undefined && this.problems.length === 0) this.problems.push('it has no history');
    return this.problems;
  }

  #start({ revision, at, kind }: ReplayedChange): void {
    const { problems } = this;
    const account = this.#account;
    if (account.revision !== revision) {
      problems.push(`it is at revision ${account.revision}, and its history at ${revision}`);
    }
    if (account.updated_at !== at) problems.push('its history has another time of the last change');
    if ((account.deleted_at !== null) !== (kind === 'deleted')) {
      problems.push(`it is ${account.deleted_at === null ? 'not ' : ''}deleted, unlike in its history`);
    }
  }

  #follow(revision: number, newer: { readonly revision: number }): void {
    if (revision === newer.revision - 1) return;
    if (!this.#options.mayHaveGaps) {
      this.problems.push(`revision ${newer.revision} comes after ${revision}`);
    }
    this.#isComplete = false;
    this.#isArchived = undefined;
    this.#values.clear();
  }

  /** An update leaves it as it is; any other change states it. */
  #replayArchive({ revision, kind, at, wasArchived }: ReplayedChange): void {
    if (kind === 'updated') return;
    if (this.#isArchived !== undefined && this.#isArchived !== (kind === 'archived')) {
      this.problems.push(`it is ${this.#isArchived ? '' : 'not '}archived after revision ${revision}`);
    }
    const { archived_at } = this.#account;
    if (!this.#hasState && kind === 'archived' && archived_at !== null && archived_at !== at)
      this.problems.push('its history has another time of its archiving');
    this.#hasState = true;
    this.#isArchived = kind === 'deleted' ? wasArchived === true : kind === 'restored';
  }

  /** Nothing was left after a deletion. */
  #delete(revision: number): void {
    for (const [name, value] of this.#values) {
      if (value !== null) this.problems.push(`revision ${revision} deletes it, but not ${name}`);
    }
    this.#values.clear();
    this.#isComplete = true;
    this.#isDeleted = true;
  }

  /** Nothing was there before a creation. */
  #create(revision: number): void {
    for (const [name, value] of this.#values) {
      if (value !== null) this.problems.push(`revision ${revision} creates it, but not ${name}`);
    }
    this.#values.clear();
    this.#isComplete = true;
  }

  #has(name: string, value: JsonValue, isErased: boolean): boolean {
    const known = this.#values.get(name);
    if (known === undefined) return value === null || !this.#isComplete;
    if (known === SOME) return value !== null;
    return isErased && value === ERASED ? known !== null : jsonEqual(known, value);
  }
}
