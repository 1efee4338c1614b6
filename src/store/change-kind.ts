import { ERASED } from '../domain/account.js';
import type { Dialect } from './migrations/all-migrations.js';

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

/** `changes` with every value replaced, so that it is still to be seen where there was one. */
export const ERASED_CHANGES: Readonly<Record<Dialect, string>> = {
  sqlite: `(
    select json_group_object(key, json_array(
      iif(value -> 0 = 'null', null, '${ERASED}'), iif(value -> 1 = 'null', null, '${ERASED}')
    )) from json_each(changes)
  )`,
  postgres: `(
    select coalesce(json_object_agg(key, json_build_array(
      case when value ->> 0 is not null then '${ERASED}' end, case when value ->> 1 is not null then '${ERASED}' end
    )), '{}')::text from json_each(changes::json)
  )`,
};
