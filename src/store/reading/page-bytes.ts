/** A record may be as large as a request: so many bytes of them are read at once, and at least one. */
const PAGE_BYTES = 2 * 1024 * 1024;

/** How many of the first rows of a page are read: it is then shorter than asked for. */
export function fitting(rows: readonly { readonly size: number }[]): number {
  let bytes = 0;
  const end = rows.findIndex(({ size }) => {
    bytes += size;
    return bytes > PAGE_BYTES;
  });
  return end === -1 ? rows.length : Math.max(end, 1);
}
