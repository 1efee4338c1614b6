import type { Attribute } from './stored-value.js';

/** Suggests the known field with the smallest edit distance, if that is at most two. */
export function suggestion(field: string, attributes: ReadonlyMap<string, Attribute>): string {
  const writable = [...attributes].filter(([, { read_only }]) => !read_only).map(([name]) => name);
  const known = ['account_id', 'parent_account_id', 'name', ...writable];
  const typos = (name: string) => distance(name.toLowerCase(), field.toLowerCase());
  const [nearest = ''] = known.toSorted((a, b) => typos(a) - typos(b));
  return typos(nearest) <= 2 ? ` Did you mean ${nearest}?` : '';
}

/** The Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min(
          (next[j] as number) + 1,
          (row[j + 1] as number) + 1,
          (row[j] as number) + (letter === other ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) as number;
}
