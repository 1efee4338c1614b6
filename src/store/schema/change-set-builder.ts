import { ERASED } from '../../domain/account.js';
import { SHAPES, shapeOf } from '../../domain/attribute-types.js';
import type { JsonValue } from '../../domain/json.js';
import {
  type Change,
  type ChangePointer,
  type ChangeSet,
  type ChangeSetHeader,
  countKind,
  encodeLine,
  MAX_SET_BYTES,
  NUMBERS_PER_SET,
  noChanges,
} from './change-set.js';

/** Longer names are not counted: they would not fit into an index, and no attribute has one. */
export const MAX_NAME_LENGTH = 200;

/** By how much the number of accounts with a field changes, the shapes of its new values, and its changes. */
type FieldCount = [accounts: number, shapes: number, changes: number];

/** Gathers the changes of one request into sets. There are never more sets than changes. */
export class ChangeSetBuilder {
  readonly #header: ChangeSetHeader;
  readonly #nextSeq: () => number;
  readonly #sets: ChangeSet[] = [];
  #seq = 0;
  #lines: string[] = [];
  #bytes = 0;
  #counts = noChanges();
  #fields = new Map<string, FieldCount>();

  /** `nextSeq` returns the number of a new set. */
  constructor(header: ChangeSetHeader, nextSeq: () => number) {
    this.#header = header;
    this.#nextSeq = nextSeq;
  }

  /** Returns where the change will be stored. */
  add(change: Change, previous: ChangePointer | null): ChangePointer {
    const line = encodeLine(change, previous);
    const size = Buffer.byteLength(line);
    if (this.#lines.length === NUMBERS_PER_SET || this.#bytes + size > MAX_SET_BYTES) this.#close();
    if (this.#lines.length === 0) this.#seq = this.#nextSeq();
    const pointer = { seq: this.#seq + this.#lines.length, place: this.#bytes };
    this.#lines.push(line);
    this.#bytes += size;
    countKind(this.#counts, change);
    this.#countFields(change);
    return pointer;
  }

  finish(): readonly ChangeSet[] {
    this.#close();
    return this.#sets;
  }

  #countFields({ changes }: Change): void {
    for (const name of Object.keys(changes)) {
      if (name.length > MAX_NAME_LENGTH) continue;
      const [from, to] = changes[name] as Change['changes'][string];
      let count = this.#fields.get(name);
      if (count === undefined) {
        count = [0, 0, 0];
        this.#fields.set(name, count);
      }
      count[0] += (to === null ? 0 : 1) - (from === null ? 0 : 1);
      if (to !== null && to !== ERASED) count[1] |= newShape(count[1], to);
      count[2] += 1;
    }
  }

  /** Written by hand: as an object, thousands of different names would slow down the engine. */
  #summary(): string {
    let text = '';
    for (const [name, [accounts, shapes, changes]] of this.#fields) {
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:[${accounts},${shapes},${changes}]`;
    }
    return `{${text}}`;
  }

  #close(): void {
    if (this.#lines.length === 0) return;
    this.#sets.push({
      seq: this.#seq,
      header: this.#header,
      ...this.#counts,
      fields: this.#summary(),
      entries: Buffer.from(`\n${this.#lines.join('')}`),
    });
    this.#lines = [];
    this.#bytes = 0;
    this.#counts = noChanges();
    this.#fields.clear();
  }
}

/** Once a field has had plain text, further texts are not examined: they would not change the type to propose. */
function newShape(known: number, value: JsonValue): number {
  return typeof value === 'string' && (known & SHAPES.text) !== 0 ? 0 : shapeOf(value);
}
