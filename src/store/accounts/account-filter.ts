import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../dialect.js';

/** One condition that an account has to meet to be listed. */
export type AccountFilter =
  | { readonly kind: 'parent'; readonly parentId: string }
  /** Its id starts with `id`, or its name with `name`. */
  | { readonly kind: 'search'; readonly id: string; readonly name: string }
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'id'; readonly prefix: string }
  /** With an empty prefix, any name. */
  | { readonly kind: 'name'; readonly prefix: string }
  /** `value` is JSON text. */
  | { readonly kind: 'attribute'; readonly name: string; readonly value: string; readonly isIndexed: boolean }
  | { readonly kind: 'since'; readonly at: number }
  /** Archived accounts, too, or only these. Without this filter they do not match. */
  | { readonly kind: 'archived'; readonly which: 'include' | 'only' }
  | { readonly kind: 'nameless' }
  | { readonly kind: 'other-id'; readonly prefix: string };

/** Sorts after every other character: appended to a prefix, it is the upper bound of all texts with that prefix. */
export const LAST_CHARACTER = '\u{10ffff}';

/** Whether a filter has to read `account.fields`, which may be as large as a request. */
export function readsFields(filters: readonly AccountFilter[]): boolean {
  return filters.some(({ kind }) => kind === 'attribute');
}

/** Which accounts the filters match with regard to the archive. */
export function archivedIn(filters: readonly AccountFilter[]): 'exclude' | 'include' | 'only' {
  return filters.find((filter) => filter.kind === 'archived')?.which ?? 'exclude';
}

/**
 * SQL condition: account `a` is not deleted, meets all filters, and is not archived unless one of them asks for it. The expressions (`column || ''`) match no index on
 * purpose, so that the query planner keeps the index of the query plan.
 */
export function matchesAll(filters: readonly AccountFilter[], dialect: Dialect): RawBuilder<boolean> {
  const conditions = filters.map((filter) => condition(filter, dialect));
  if (archivedIn(filters) === 'exclude') conditions.push(sql`a.archived_at is null`);
  return sql`(${sql.join([sql`a.deleted_at is null`, ...conditions], sql` and `)})`;
}

function condition(filter: AccountFilter, dialect: Dialect): RawBuilder<boolean> {
  const id = sql`(a.account_id || '')`;
  const name = sql`lower(a.name || '')`;
  switch (filter.kind) {
    case 'parent':
      return sql`(a.parent_account_id || '') = ${filter.parentId}`;
    case 'search':
      return sql`(${startsWith(id, filter.id)} or ${startsWith(name, foldName(filter.name))})`;
    case 'ids':
      return sql`${id} in (${dialect.texts(filter.ids, 'account_id')})`;
    case 'id':
      return startsWith(id, filter.prefix);
    case 'name':
      return startsWith(name, foldName(filter.prefix));
    case 'attribute':
      return sql`${dialect.field(filter.name)} = ${filter.value}`;
    case 'since':
      return sql`a.updated_at >= ${filter.at}`;
    case 'archived':
      return filter.which === 'only' ? sql`a.archived_at is not null` : sql`1 = 1`;
    case 'nameless':
      return sql`a.name is null`;
    case 'other-id':
      return sql`not ${startsWith(id, filter.prefix)}`;
  }
}

/** As a range, so that an index on the text can be used. */
export function startsWith(text: RawBuilder<unknown>, prefix: string): RawBuilder<boolean> {
  return sql`(${text} >= ${prefix} and ${text} <= ${prefix + LAST_CHARACTER})`;
}

/** Lower-cases A to Z only, as SQL `lower` does on both databases for text that is compared byte by byte. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
