import type { AccountFilter, Place, Sort } from '../../api/account-list';

/** All that the address says. */
export interface Listing {
  readonly filter: AccountFilter;
  /** Undefined: as it fits the filter. */
  readonly sort: Sort | undefined;
  /** Undefined: those that are most in use. */
  readonly columns: readonly string[] | undefined;
  readonly limit: number;
  /** Undefined: the first page. */
  readonly place: Place | undefined;
}

export const LIMITS = [50, 100] as const;
/** Of buttons, so that a row of them fits on a phone. */
export const SLIM = { base: 'xs', sm: 'md' };
export const MAX_SEARCH = 191;
export const NO_FILTER: AccountFilter = { search: '', attributes: [], parent: '', changed: '' };

const SORTS: readonly string[] = ['id', '-id', 'name', '-name', 'updated', '-updated'] satisfies Sort[];

/** Whatever somebody wrote into the address becomes something that can be shown. */
export function readListing(address: URLSearchParams): Listing {
  const text = (name: string) => address.get(name) ?? '';
  const sort = text('sort');
  const columns = address.getAll('column');
  return {
    filter: {
      search: text('search').slice(0, MAX_SEARCH),
      attributes: address.getAll('attribute'),
      parent: text('parent').trim(),
      changed: text('changed'),
    },
    sort: SORTS.includes(sort) ? (sort as Sort) : undefined,
    columns: columns.length > 0 ? [...new Set(columns)] : undefined,
    limit: LIMITS.find((limit) => String(limit) === text('limit')) ?? LIMITS[0],
    place: readPlace(text('cursor'), Number(text('at')), Number(text('before'))),
  };
}

function readPlace(cursor: string, at: number, before: number): Place | undefined {
  if (cursor === '') return undefined;
  const isNumber = (value: number) => Number.isSafeInteger(value) && value >= 0;
  return { cursor, at: isNumber(at) ? at : 0, before: isNumber(before) ? before : 0 };
}

/** Says only what is not so by itself. */
export function writeListing({ filter, sort, columns, limit, place }: Listing): URLSearchParams {
  const address = new URLSearchParams();
  const say = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== '') address.append(name, String(value));
  };
  say('search', filter.search);
  for (const attribute of filter.attributes) say('attribute', attribute);
  say('parent', filter.parent);
  say('changed', filter.changed);
  say('sort', sort);
  for (const column of columns ?? []) say('column', column);
  say('limit', limit === LIMITS[0] ? undefined : limit);
  say('cursor', place?.cursor);
  say('at', place?.at);
  say('before', place?.before);
  return address;
}

/** By best match, by newest change, else by name: each without looking at more than it shows. */
export function sortOf({ sort, filter }: Listing): Sort | undefined {
  if (sort !== undefined) return sort;
  if (filter.search.trim() !== '') return undefined;
  return filter.changed === '' ? 'name' : '-updated';
}

export function isFiltered({ search, attributes, parent, changed }: AccountFilter): boolean {
  return search.trim() !== '' || hasChips({ attributes, parent, changed });
}

export function hasChips({ attributes, parent, changed }: Omit<AccountFilter, 'search'>): boolean {
  return attributes.length > 0 || parent !== '' || changed !== '';
}
