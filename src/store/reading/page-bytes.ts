import { type RawBuilder, sql } from 'kysely';

/**
 * A record may be as large as a request: so many bytes of them are read at once, and at least one. Enough for a thousand
 * records of an everyday size; everybody else waits while a page is read and written.
 */
const PAGE_BYTES = 512 * 1024;
/** No text is longer in either database. */
const ANY_SIZE = 2 ** 31 - 1;

/** How many of the first rows of a page are read: it is then shorter than asked for. */
export function fitting(rows: readonly { readonly size: number }[]): number {
  let bytes = 0;
  const end = rows.findIndex(({ size }) => {
    bytes += size;
    return bytes > PAGE_BYTES;
  });
  return end === -1 ? rows.length : Math.max(end, 1);
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
 * Reads rows with a column that may be long. Mostly once: rows whose column takes no more than its share come whole.
 * Where one does not, as many as fit are read again.
 */
export async function readBounded<Column extends string, Row extends SizedRow<Column>>(
  limit: number,
  column: Column,
  read: (limit: number, bytes: number) => Promise<readonly Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }> {
  const rows = await read(limit, Math.floor(PAGE_BYTES / limit));
  const fits = fitting(rows);
  const kept = rows.slice(0, fits);
  const isWhole = kept.every((row) => row[column] !== null);
  return { rows: isWhole ? kept : await read(fits, ANY_SIZE), isCut: fits < rows.length };
}
