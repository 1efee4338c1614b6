import type { AccountFilter } from './account-filter.js';

/** `match`, for a search: by id those whose id begins with the text, then by name those whose name does. */
export type PageOrder = 'id' | '-id' | 'name' | '-name' | 'match';

export interface Listing {
  readonly order: PageOrder;
  /** All have to hold; those that find fewer should come first. */
  readonly filters: readonly AccountFilter[];
}

/** A part of a listing that has one index for its order. */
export interface Leg {
  readonly by: 'id' | 'name';
  readonly direction: 'asc' | 'desc';
  readonly filters: readonly AccountFilter[];
}

/** They follow one another, and no account is in two. */
export function legsOf({ order, filters }: Listing): readonly Leg[] {
  switch (order) {
    case 'id':
      return [{ by: 'id', direction: 'asc', filters }];
    case '-id':
      return [{ by: 'id', direction: 'desc', filters }];
    case 'name':
      return withNameless({ by: 'name', direction: 'asc', filters });
    case '-name':
      return withNameless({ by: 'name', direction: 'desc', filters });
    case 'match':
      return [
        { by: 'id', direction: 'asc', filters: filters.flatMap((filter) => foundById(filter)) },
        { by: 'name', direction: 'asc', filters: filters.flatMap((filter) => foundByName(filter)) },
      ];
  }
}

/** The index of names has only those that have one. */
function withNameless(named: Leg): readonly Leg[] {
  if (named.filters.some(({ kind }) => kind === 'name')) return [named];
  return [named, { by: 'id', direction: 'asc', filters: [...named.filters, { kind: 'nameless' }] }];
}

function foundById(filter: AccountFilter): readonly AccountFilter[] {
  return filter.kind === 'search' ? [{ kind: 'id', prefix: filter.id }] : [filter];
}

function foundByName(filter: AccountFilter): readonly AccountFilter[] {
  if (filter.kind !== 'search') return [filter];
  return [
    { kind: 'name', prefix: filter.name },
    { kind: 'other-id', prefix: filter.id },
  ];
}
