import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';

/**
 * A record may be as large as a request: so many bytes of them are read at once, and at least one. Enough for a thousand
 * records of an everyday size; everybody else waits while a page is written as JSON.
 */
const PAGE_BYTES = 512 * 1024;
/** Are read at once, and then others have their turn: a quarter of the largest page, and of the row behind it. */
const PIECE_ROWS = 251;
/** No text is longer in either database. */
const ANY_SIZE = 2 ** 31 - 1;

/** How many of the first rows of a page are read: it is then shorter than asked for. */
export function fitting(rows: readonly { readonly size: number }[]): number {
  return Math.min(Math.max(fittingInto(PAGE_BYTES, rows), 1), rows.length);
}

function fittingInto(room: number, rows: readonly { readonly size: number }[]): number {
  let bytes = 0;
  const end = rows.findIndex(({ size }) => {
    bytes += size;
    return bytes > room;
  });
  return end === -1 ? rows.length : end;
}

type SizedRow<Column extends string> = Readonly<Record<Column, string>> & { readonly size: number };

/** Neither database reads a long text to tell its size. */
export function sizeOf(column: string): RawBuilder<number> {
  return sql`octet_length(${sql.ref(column)})`;
}

/** A long column where it is no longer than that, and null otherwise. */
export function upTo(bytes: number, column: string): RawBuilder<string> {
  return sql`case when ${sizeOf(column)} <= ${bytes} then ${sql.ref(column)} end`;
}

/**
 * Reads rows with a column that may be long, in pieces: `read` gives so many rows behind the `last` one. Of a piece mostly
 * once: rows whose column takes no more than its share come whole. Where one does not, as many as fit are read again.
 */
export async function readBounded<Column extends string, Row extends SizedRow<Column>>(
  limit: number,
  column: Column,
  read: (limit: number, bytes: number, last: Row | undefined) => Promise<readonly Row[]>,
  pieceRows = PIECE_ROWS,
): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }> {
  const rows: Row[] = [];
  let room = PAGE_BYTES;
  for (;;) {
    const count = Math.min(limit - rows.length, pieceRows);
    const last = rows.at(-1);
    const piece = await read(count, Math.floor(room / count), last);
    const fits = rows.length === 0 ? fitting(piece) : fittingInto(room, piece);
    const kept = piece.slice(0, fits);
    const isWhole = kept.every((row) => row[column] !== null);
    rows.push(...(isWhole ? kept : await read(fits, ANY_SIZE, last)));
    if (fits < piece.length || rows.length >= limit || piece.length < count) {
      return { rows, isCut: fits < piece.length };
    }
    for (const { size } of kept) room -= size;
    await nextTurn();
  }
}
