import { ERASED } from '../../domain/account.js';

export type ChangeKind = 'created' | 'updated' | 'deleted';

/**
 * The meaning of the column `kind`. It is null for most changes: the first revision creates an account, every other one
 * updates it. A deletion erases the values of earlier changes and marks them `erased`.
 */
export function readKind(row: { readonly kind: string | null; readonly revision: number }): {
  readonly kind: ChangeKind;
  readonly isErased: boolean;
} {
  const { kind, revision } = row;
  if (kind === null) return { kind: revision === 1 ? 'created' : 'updated', isErased: false };
  const isErased = kind === 'deleted' || kind.startsWith('erased ');
  // Before 0.7.0 two simultaneous deletions could mark a change twice on PostgreSQL.
  return { kind: kind.replace(/^(?:erased )+/, '') as ChangeKind, isErased };
}

/** SQL: the kind of a change that is about to be erased, as in `readKind`. */
export const USUAL_KIND = "coalesce(kind, case when revision = 1 then 'created' else 'updated' end)";
export const NOT_YET_ERASED = "(kind is null or kind = 'created')";

/** SQL: the column `changes` with every value replaced by a mark, so that it stays visible where one was. */
export const ERASED_CHANGES = {
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
} as const;
