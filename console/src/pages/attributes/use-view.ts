import type { Attribute } from '@account-sync/client';
import { useAddressParameters } from '../../parts/use-address';

const SORTS = {
  name: (a: Attribute, b: Attribute) => a.name.localeCompare(b.name, undefined, { numeric: true }),
  type: (a: Attribute, b: Attribute) => a.type.localeCompare(b.type) || SORTS.name(a, b),
  use: (a: Attribute, b: Attribute) => b.accounts - a.accounts || SORTS.name(a, b),
};

export type Sort = keyof typeof SORTS;

/** What the address says: which are looked for, in which order, and which one is open. */
export function useView() {
  const [address, change] = useAddressParameters();
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

export function sorted(attributes: readonly Attribute[], sort: Sort): readonly Attribute[] {
  return attributes.toSorted(SORTS[sort]);
}

export function isFound({ name }: { readonly name: string }, search: string): boolean {
  return name.toLowerCase().includes(search.trim().toLowerCase());
}
