import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../dialect.js';

/** What is asked of an account. */
export type AccountFilter =
  | { readonly kind: 'parent'; readonly parentId: string }
  /** Either its id or its name begins so. */
  | { readonly kind: 'search'; readonly id: string; readonly name: string }
  | { readonly kind: 'id'; readonly prefix: string }
  /** With an empty prefix, any name. */
  | { readonly kind: 'name'; readonly prefix: string }
  /** `value` is JSON text. */
  | { readonly kind: 'attribute'; readonly name: string; readonly value: string; readonly isIndexed: boolean }
  | { readonly kind: 'since'; readonly at: number }
  | { readonly kind: 'nameless' }
  | { readonly kind: 'other-id'; readonly prefix: string };

/** Behind every text that begins with the same characters. */
export const LAST_CHARACTER = '\u{10ffff}';

/** Whether the fields have to be read, which may be as large as a request. */
export function looksInside(filters: readonly AccountFilter[]): boolean {
  return filters.some(({ kind }) => kind === 'attribute');
}

/** Of an account `a`, whatever index it is found by: columns are taken for texts that have no index. */
export function holds(filters: readonly AccountFilter[], dialect: Dialect): RawBuilder<boolean> {
  const conditions = filters.map((filter) => condition(filter, dialect));
  return sql`(${sql.join([sql`a.deleted_at is null`, ...conditions], sql` and `)})`;
}

function condition(filter: AccountFilter, dialect: Dialect): RawBuilder<boolean> {
  const id = sql`(a.account_id || '')`;
  const name = sql`lower(a.name || '')`;
  switch (filter.kind) {
    case 'parent':
      return sql`(a.parent_account_id || '') = ${filter.parentId}`;
    case 'search':
      return sql`(${begins(id, filter.id)} or ${begins(name, foldName(filter.name))})`;
    case 'id':
      return begins(id, filter.prefix);
    case 'name':
      return begins(name, foldName(filter.prefix));
    case 'attribute':
      return sql`${dialect.field(filter.name)} = ${filter.value}`;
    case 'since':
      return sql`a.updated_at >= ${filter.at}`;
    case 'nameless':
      return sql`a.name is null`;
    case 'other-id':
      return sql`not ${begins(id, filter.prefix)}`;
  }
}

/** By an index, where the text has one. */
export function begins(text: RawBuilder<unknown>, prefix: string): RawBuilder<boolean> {
  return sql`(${text} >= ${prefix} and ${text} <= ${prefix + LAST_CHARACTER})`;
}

/** As `lower` does in text that is compared byte by byte, on both databases. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
