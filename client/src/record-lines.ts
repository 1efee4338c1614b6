import { linesOf } from './lines.js';
import { iterate, type Sequence } from './sequence.js';
import type { AccountRecord } from './wire.js';

/** Records, or NDJSON text in one piece or in many, as a file or an answer gives it. */
export type ImportInput = string | Sequence<AccountRecord> | Sequence<string | Uint8Array>;

type Piece = AccountRecord | string | Uint8Array;

/** A record on its way, and the account that it is about where it names one. */
export interface RecordLine {
  readonly text: string;
  readonly id: string | undefined;
}

/** What is sent, piece by piece: text as it is, a record as a line. */
export async function* textOf(input: ImportInput): AsyncGenerator<string | Uint8Array> {
  for await (const piece of iterate<Piece>(typeof input === 'string' ? [input] : input)) {
    yield typeof piece === 'string' || piece instanceof Uint8Array ? piece : `${serialize(piece)}\n`;
  }
}

export async function* linesOfText(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<RecordLine> {
  for await (const text of linesOf(pieces)) {
    if (text.trim() !== '') yield lineOf(text);
  }
}

export async function* linesOfRecords(records: Sequence<AccountRecord | string>): AsyncGenerator<RecordLine> {
  for await (const record of iterate(records)) yield lineOf(record);
}

export function lineOf(record: AccountRecord | string): RecordLine {
  if (typeof record !== 'string') return { text: serialize(record), id: canonicalId(record) };
  const value = parse(record);
  // JSON has line ends only between its parts, where a space does as well; what is no JSON may not become it.
  return { text: record.replace(/[\r\n]+/g, value === undefined ? '\u0000' : ' '), id: canonicalId(value) };
}

/** What JSON has no form for is sent as null, so that the server refuses it in its place. */
function serialize(record: unknown): string {
  return JSON.stringify(record) ?? 'null';
}

/** The server's form of an identifier: two records are about one account where these are equal. */
function canonicalId(record: unknown): string | undefined {
  const id = (record as AccountRecord | null | undefined)?.account_id;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  // Lower-casing can leave a sequence that composes, so normalisation comes on both sides of it.
  return String(id).trim().normalize('NFC').toLowerCase().normalize('NFC');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
