import type { AccountFilter, PagePosition, Sort } from '../../api/account-list';

/** The state of the list that is stored in the URL. */
export interface Listing {
  readonly filter: AccountFilter;
  /** Undefined: the default for the filter. */
  readonly sort: Sort | undefined;
  /** Undefined: the default columns. */
  readonly columns: readonly string[] | undefined;
  readonly limit: number;
  /** Undefined: the first page. */
  readonly position: PagePosition | undefined;
}

export const LIMITS = [50, 100] as const;
/** Button padding that lets a row of buttons fit on a phone. */
export const SLIM = { base: 'xs', sm: 'md' };
export const MAX_SEARCH = 191;
export const NO_FILTER: AccountFilter = {
  search: '',
  attributes: [],
  parent: '',
  changed: '',
  archived: '',
};

const SORTS: readonly string[] = ['id', '-id', 'name', '-name', 'updated', '-updated'] satisfies Sort[];

/** Reads the state from the URL. Invalid values are replaced by defaults. */
export function readListing(query: URLSearchParams): Listing {
  const text = (name: string) => query.get(name) ?? '';
  const sort = text('sort');
  const columns = query.getAll('column');
  const archived = text('archived');
  return {
    filter: {
      search: text('search').slice(0, MAX_SEARCH),
      attributes: query.getAll('attribute'),
      parent: text('parent').trim(),
      changed: text('changed'),
      archived: archived === 'include' || archived === 'only' ? archived : '',
    },
    sort: SORTS.includes(sort) ? (sort as Sort) : undefined,
    columns: columns.length > 0 ? [...new Set(columns)] : undefined,
    limit: LIMITS.find((limit) => String(limit) === text('limit')) ?? LIMITS[0],
    position: readPosition(text('cursor'), Number(text('at')), Number(text('before'))),
  };
}

function readPosition(cursor: string, at: number, before: number): PagePosition | undefined {
  if (cursor === '') return undefined;
  const isNumber = (value: number) => Number.isSafeInteger(value) && value >= 0;
  return { cursor, at: isNumber(at) ? at : 0, before: isNumber(before) ? before : 0 };
}

/** Writes only values that differ from the default. */
export function writeListing({ filter, sort, columns, limit, position }: Listing): URLSearchParams {
  const query = new URLSearchParams();
  const add = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== '') query.append(name, String(value));
  };
  add('search', filter.search);
  for (const attribute of filter.attributes) add('attribute', attribute);
  add('parent', filter.parent);
  add('changed', filter.changed);
  add('archived', filter.archived);
  add('sort', sort);
  for (const column of columns ?? []) add('column', column);
  add('limit', limit === LIMITS[0] ? undefined : limit);
  add('cursor', position?.cursor);
  add('at', position?.at);
  add('before', position?.before);
  return query;
}

/** Default order: best match for a search, newest change for a time filter, else name. An index supports each. */
export function sortOf({ sort, filter }: Listing): Sort | undefined {
  if (sort !== undefined) return sort;
  if (filter.search.trim() !== '') return undefined;
  return filter.changed === '' ? 'name' : '-updated';
}

export function isFiltered({ search, ...others }: AccountFilter): boolean {
  return search.trim() !== '' || hasChips(others);
}

export function hasChips({ attributes, parent, changed, archived }: Omit<AccountFilter, 'search'>): boolean {
  return attributes.length > 0 || parent !== '' || changed !== '' || archived !== '';
}
