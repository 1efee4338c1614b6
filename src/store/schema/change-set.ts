import { ERASED, type FieldChanges } from '../../domain/account.js';
import type { JsonValue } from '../../domain/json.js';
import type { Position } from './position.js';

/*
 * The format of a change set: all changes of one request, in one row of `change_set`. Its column `entries` is UTF-8
 * text, a line feed and then a line per change:
 *
 *   ["acme",2,"u",512,0]<tab>{"licenses":[25,30]}<line feed>
 *   account, revision, kind, number and place of the account's previous change; what changed
 *
 * - Each change has a number: `seq` of its set plus the index of its line. A set takes `NUMBERS_PER_SET` numbers.
 * - A place is the byte offset of the line feed before a line. With it, SQL reads one change without its neighbours.
 * - JSON text contains no line feed and no tab. So an outdated place is recognised: either a line of the right account
 *   begins there, with an earlier revision, or the change no longer exists.
 * - Erasing values, and blanking a line, keeps its length. Removing a line leaves its line feed, and so all numbers.
 */

const LINE_FEED = 10;
const BRACKET = 91;
export const NUMBERS_PER_SET = 256;
/** PostgreSQL takes the numbers of this many sets from its sequence at once. */
export const SETS_PER_BLOCK = 16;
/** A set is closed at this size, so that reading one change never reads much more. A larger change is alone in its set. */
export const MAX_SET_BYTES = 256 * 1024;

export const CHANGE_KINDS = ['created', 'updated', 'archived', 'restored', 'deleted'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** How many changes of each kind there are. A deletion of an archived account counts as restored, too: it leaves them. */
export type KindCounts = Record<ChangeKind, number>;

export function noChanges(): KindCounts {
  return { created: 0, updated: 0, archived: 0, restored: 0, deleted: 0 };
}

export function countKind(
  counts: KindCounts,
  { kind, wasArchived }: Pick<Change, 'kind' | 'wasArchived'>,
): void {
  counts[kind] += 1;
  if (wasArchived) counts.restored += 1;
}

/** Where a change is stored. */
export interface ChangePointer {
  readonly seq: number;
  readonly place: number;
}

export interface Change {
  readonly accountId: string;
  readonly revision: number;
  readonly kind: ChangeKind;
  /** Whether the values were erased because the account was deleted. */
  readonly isErased: boolean;
  /** Whether it deletes an archived account. */
  readonly wasArchived?: boolean;
  readonly changes: FieldChanges;
}

/** A change as stored: `previous` is null for the first change of an account. */
export interface StoredChange extends Change, ChangePointer {
  readonly previous: ChangePointer | null;
}

/** The position after all changes of a set. */
export function endOfSet({ commitOrder, seq }: Position): Position {
  return { commitOrder, seq: seq + NUMBERS_PER_SET - 1 };
}

/** The `seq` of the set that holds a change. */
export function setOf(seq: number): number {
  return seq - (seq % NUMBERS_PER_SET);
}

/** Letters of changes whose values are erased are upper case. A deletion shows only which fields the account had. */
type KindLetter = 'c' | 'u' | 'a' | 'r' | 'd' | 'C' | 'U' | 'A' | 'R' | 'D';
type KindParts = Pick<Change, 'kind' | 'isErased' | 'wasArchived'>;
const KINDS: Readonly<Record<KindLetter, KindParts>> = {
  c: { kind: 'created', isErased: false },
  u: { kind: 'updated', isErased: false },
  a: { kind: 'archived', isErased: false },
  r: { kind: 'restored', isErased: false },
  d: { kind: 'deleted', isErased: true },
  C: { kind: 'created', isErased: true },
  U: { kind: 'updated', isErased: true },
  A: { kind: 'archived', isErased: true },
  R: { kind: 'restored', isErased: true },
  // Of an archived account.
  D: { kind: 'deleted', isErased: true, wasArchived: true },
};
const LETTERS: Readonly<Record<ChangeKind, readonly [letter: KindLetter, other: KindLetter]>> = {
  created: ['c', 'C'],
  updated: ['u', 'U'],
  archived: ['a', 'A'],
  restored: ['r', 'R'],
  deleted: ['d', 'D'],
};

type Head = readonly [
  accountId: string,
  revision: number,
  kind: KindLetter,
  previousSeq: number | null,
  previousPlace: number | null,
];

/** Compact forms: a creation has values instead of pairs; where values are erased, 1 stands for a value, 0 for none. */
export function encodeLine(change: Change, previous: ChangePointer | null): string {
  const { accountId, revision, kind, isErased, wasArchived = false, changes } = change;
  const letter = LETTERS[kind][(kind === 'deleted' ? wasArchived : isErased) ? 1 : 0];
  const pointer = previous === null ? 'null,null' : `${previous.seq},${previous.place}`;
  const head = `[${JSON.stringify(accountId)},${revision},"${letter}",${pointer}]`;
  return `${head}\t${JSON.stringify(encodeChanges(letter, changes))}\n`;
}

function encodeChanges(letter: KindLetter, changes: FieldChanges): unknown {
  if (hasPairs(letter)) return changes;
  const encoded: Record<string, unknown> = {};
  for (const name of Object.keys(changes)) {
    const [from, to] = changes[name] as FieldChanges[string];
    if (letter === 'c') encoded[name] = to;
    else encoded[name] = hasErasedPairs(letter) ? [from === null ? 0 : 1, to === null ? 0 : 1] : 1;
  }
  return encoded;
}

function decodeChanges(letter: KindLetter, encoded: Readonly<Record<string, JsonValue>>): FieldChanges {
  if (hasPairs(letter)) return encoded as unknown as FieldChanges;
  const changes: Record<string, readonly [JsonValue, JsonValue]> = {};
  for (const name of Object.keys(encoded)) {
    const value = encoded[name] as JsonValue;
    if (letter === 'c') changes[name] = [null, value];
    else if (letter === 'C') changes[name] = [null, ERASED];
    else if (!hasErasedPairs(letter)) changes[name] = [ERASED, null];
    else {
      const [from, to] = value as readonly [number, number];
      changes[name] = [from === 0 ? null : ERASED, to === 0 ? null : ERASED];
    }
  }
  return changes;
}

function hasPairs(letter: KindLetter): boolean {
  return letter === 'u' || letter === 'a' || letter === 'r';
}

function hasErasedPairs(letter: KindLetter): boolean {
  return letter === 'U' || letter === 'A' || letter === 'R';
}

/** A line of a set: where it is, and its text without the line feed. */
export interface ChangeLine extends ChangePointer {
  readonly text: string;
}

/** The lines of a set in order, without removed ones. */
export function* linesOf(seq: number, entries: Uint8Array): Generator<ChangeLine> {
  const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength);
  for (let place = 0, index = 0; place < bytes.length - 1; index += 1) {
    const found = bytes.indexOf(LINE_FEED, place + 1);
    const end = found === -1 ? bytes.length : found;
    if (bytes[place + 1] === BRACKET)
      yield { seq: seq + index, place, text: bytes.toString('utf8', place + 1, end) };
    place = end;
  }
}

/** The line of a change; undefined if none begins at its place. */
export function lineAt({ seq, place }: ChangePointer, entries: Uint8Array): ChangeLine | undefined {
  const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength);
  if (bytes[place] !== LINE_FEED || bytes[place + 1] !== BRACKET) return undefined;
  const found = bytes.indexOf(LINE_FEED, place + 1);
  return { seq, place, text: bytes.toString('utf8', place + 1, found === -1 ? bytes.length : found) };
}

/** The account and revision of a line, without reading its values. */
export function headOf(text: string): Pick<StoredChange, 'accountId' | 'revision' | 'previous'> & KindParts {
  const [accountId, revision, letter, seq, place]: Head = JSON.parse(text.slice(0, text.indexOf('\t')));
  return {
    accountId,
    revision,
    ...KINDS[letter],
    previous: seq === null || place === null ? null : { seq, place },
  };
}

export function decodeLine({ seq, place, text }: ChangeLine): StoredChange {
  const tab = text.indexOf('\t');
  const [accountId, revision, letter, previousSeq, previousPlace]: Head = JSON.parse(text.slice(0, tab));
  return {
    seq,
    place,
    accountId,
    revision,
    ...KINDS[letter],
    changes: decodeChanges(letter, JSON.parse(text.slice(tab + 1))),
    previous:
      previousSeq === null || previousPlace === null ? null : { seq: previousSeq, place: previousPlace },
  };
}

/** Returns the entries with the values of some changes erased. All lines keep their length and place. */
export function eraseLines(seq: number, entries: Uint8Array, erased: ReadonlySet<number>): Uint8Array {
  return replaceLines(seq, entries, (line) => {
    const change = erased.has(line.seq) ? decodeLine(line) : undefined;
    if (change === undefined || change.isErased) return undefined;
    return encodeLine({ ...change, isErased: true }, change.previous).trimEnd();
  });
}

/** Returns the entries with spaces instead of some changes. All other lines keep their place. */
export function blankLines(seq: number, entries: Uint8Array, blank: ReadonlySet<number>): Uint8Array {
  return replaceLines(seq, entries, (line) => (blank.has(line.seq) ? '' : undefined));
}

/** Spaces fill a line to its length: they may follow any JSON text. */
function replaceLines(
  seq: number,
  entries: Uint8Array,
  replace: (line: ChangeLine) => string | undefined,
): Uint8Array {
  const replaced = Buffer.from(entries);
  for (const line of linesOf(seq, entries)) {
    const text = replace(line);
    if (text === undefined) continue;
    const start = line.place + 1;
    replaced.fill(' ', start + replaced.write(text, start), start + Buffer.byteLength(line.text));
  }
  return replaced;
}

/** Returns the entries with only some changes. They keep their numbers, but not their places. */
export function keepLines(
  seq: number,
  entries: Uint8Array,
  kept: ReadonlySet<number>,
): { readonly entries: Uint8Array; readonly places: ReadonlyMap<number, number> } {
  const pieces: string[] = [];
  const places = new Map<number, number>();
  let index = -1;
  let size = 0;
  for (const line of linesOf(seq, entries)) {
    if (!kept.has(line.seq)) continue;
    const gap = '\n'.repeat(line.seq - seq - index);
    size += gap.length;
    places.set(line.seq, size - 1);
    pieces.push(gap, line.text);
    size += Buffer.byteLength(line.text);
    index = line.seq - seq;
  }
  return { entries: Buffer.from(`${pieces.join('')}\n`), places };
}

/** What all changes of a request have in common. */
export interface ChangeSetHeader {
  readonly tenantId: number;
  readonly at: number;
  readonly requestId: string;
  readonly senderId: string;
  /** The run to which the request belongs, if any. */
  readonly runId?: number | undefined;
}

/** A row of `change_set`, apart from its commit order. */
export interface ChangeSet extends Readonly<KindCounts> {
  readonly seq: number;
  readonly header: ChangeSetHeader;
  /**
   * JSON: by how much the number of accounts with each field changes, which shapes the new values have, and how many
   * changes include the field (not in sets before 0.8.0).
   */
  readonly fields: string;
  readonly entries: Uint8Array;
}
