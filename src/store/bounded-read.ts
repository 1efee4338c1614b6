import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';

/**
 * A record may be as large as a request, so a page is limited in bytes too; it holds at least one record. This is
 * enough for a thousand records of usual size. The event loop serves no other request while it writes a page as JSON.
 */
export const PAGE_BYTES = 512 * 1024;
/**
 * Rows that are read before the event loop serves other requests: a quarter of the largest page plus the row after it,
 * which shows whether there is a next page.
 */
const PIECE_ROWS = 251;
/** The longest text in either database. */
const ANY_SIZE = 2 ** 31 - 1;

/** How many of these rows fit into a page: at least one, if there is one. */
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

/** Neither database has to read a long text to compute its size. */
export function sizeOf(column: string): RawBuilder<number> {
  return sql`octet_length(${sql.ref(column)})`;
}

/** The column if it has at most this many bytes, otherwise null. */
export function upTo(bytes: number, column: string): RawBuilder<string> {
  return sql`case when ${sizeOf(column)} <= ${bytes} then ${sql.ref(column)} end`;
}

/**
 * Reads a page of rows with a column that may be long, bounded in rows and bytes. `read` returns up to `limit` rows
 * after `last`, with null for a column of more than `bytes`. Each piece is usually read once, with an equal share of
 * the remaining bytes per row. If a row that fits exceeds its share, the rows that fit are read again in full.
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
