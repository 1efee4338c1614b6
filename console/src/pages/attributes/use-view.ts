import type { Attribute } from '@account-sync/client';
import { matchesSearch } from '../../components/matches-search';
import { useQueryParameters } from '../../components/use-url';

const SORTS = {
  name: (a: Attribute, b: Attribute) =>
    (a.label ?? a.name).localeCompare(b.label ?? b.name, undefined, { numeric: true }),
  type: (a: Attribute, b: Attribute) => a.type.localeCompare(b.type) || SORTS.name(a, b),
  use: (a: Attribute, b: Attribute) => b.accounts - a.accounts || SORTS.name(a, b),
};

export type Sort = keyof typeof SORTS;

/** Search, order and open attribute, stored in the URL. */
export function useView() {
  const [address, change] = useQueryParameters();
  const sort = address.get('sort') ?? '';
  return {
    search: address.get('search') ?? '',
    onSearch: (text: string) => change({ search: text }),
    sort: (Object.hasOwn(SORTS, sort) ? sort : 'name') as Sort,
    onSort: (next: Sort) => change({ sort: next === 'name' ? undefined : next }),
    open: address.get('open') ?? undefined,
    onOpen: (name: string | undefined) => change({ open: name }),
  };
}

export type View = ReturnType<typeof useView>;

/** Those with the text in their name or label. */
export function attributesFound(attributes: readonly Attribute[], search: string): readonly Attribute[] {
  return attributes.filter(({ name, label }) => matchesSearch([name, label ?? name], search));
}

export function sorted(attributes: readonly Attribute[], sort: Sort): readonly Attribute[] {
  return attributes.toSorted(SORTS[sort]);
}
