import { linesOf } from './lines.js';
import { iterate, type Sequence } from './sequence.js';
import type { AccountRecord } from './wire.js';

/** Records, or NDJSON text: one string, or pieces of text or bytes, for example of a file or a response. */
export type ImportInput = string | Sequence<AccountRecord> | Sequence<string | Uint8Array>;

type Piece = AccountRecord | string | Uint8Array;

/** The JSON of a record, and its canonical account id if it has one. */
export interface RecordLine {
  readonly text: string;
  readonly id: string | undefined;
}

/** The pieces of a request body: text is sent unchanged, a record becomes a line. */
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
  // In valid JSON a line end is white space, so a space can replace it. In other text it could make the text valid
  // JSON, so a NUL replaces it: that keeps the text invalid.
  return { text: record.replace(/[\r\n]+/g, value === undefined ? '\u0000' : ' '), id: canonicalId(value) };
}

/** A value without a JSON form is sent as `null`, so that the server rejects it and the other indexes stay right. */
function serialize(record: unknown): string {
  return JSON.stringify(record) ?? 'null';
}

/** The identifier in the form that the server compares. Records with equal canonical ids belong to one account. */
function canonicalId(record: unknown): string | undefined {
  const id = (record as AccountRecord | null | undefined)?.account_id;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  // Lower-casing can produce a sequence that NFC composes, so normalisation runs before and after it.
  return String(id).trim().normalize('NFC').toLowerCase().normalize('NFC');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
