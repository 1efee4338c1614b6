export type ChangeKind = 'created' | 'updated' | 'deleted';

/**
 * What the column `kind` stands for. Most changes need none: the first revision creates, every other updates. Those of a
 * deleted account are marked, since nothing in them is what it was.
 */
export function readKind(row: { readonly kind: string | null; readonly revision: number }): {
  readonly kind: ChangeKind;
  readonly isErased: boolean;
} {
  const { kind, revision } = row;
  if (kind === null) return { kind: revision === 1 ? 'created' : 'updated', isErased: false };
  const isErased = kind === 'deleted' || kind.startsWith('erased ');
  // Before 0.7.0 two deletions at the same moment could mark it twice on PostgreSQL.
  return { kind: kind.replace(/^(?:erased )+/, '') as ChangeKind, isErased };
}

/** The same in SQL, for those that are about to be erased. */
export const USUAL_KIND = "coalesce(kind, case when revision = 1 then 'created' else 'updated' end)";
export const NOT_YET_ERASED = "(kind is null or kind = 'created')";
