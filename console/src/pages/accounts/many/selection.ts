import type { Account, AccountSelection } from '@account-sync/client';
import type { Matching } from '../../../api/account-list';

/** The accounts that are selected in the list. */
export type Selection =
  | {
      readonly ids: ReadonlySet<string>;
      /** What was selected before one of all that match was left out. */
      readonly all?: AllMatching;
    }
  /** All that match the filters, also those on other pages. */
  | { readonly matching: AllMatching };

interface AllMatching {
  /** Fixed when they were selected: “in the last hour” would mean other accounts later. */
  readonly filters: Matching;
  readonly accounts: number;
  /** False if there are at least this many. */
  readonly isExact: boolean;
}

export const NOTHING: Selection = { ids: new Set() };

type Row = Pick<Account, 'account_id'>;

export function isSelected(selection: Selection, { account_id }: Row): boolean {
  return 'matching' in selection || selection.ids.has(account_id);
}

export function isEmpty(selection: Selection): boolean {
  return 'ids' in selection && selection.ids.size === 0;
}

/**
 * The selection with or without some of the shown accounts. Without one of all that match, the other accounts on the page
 * stay selected: the server has no selection of all except some.
 */
export function toggled(
  selection: Selection,
  some: readonly Row[],
  isOn: boolean,
  shown: readonly Row[],
): Selection {
  if ('matching' in selection && isOn) return selection;
  const ids = new Set('matching' in selection ? shown.map(({ account_id }) => account_id) : selection.ids);
  for (const { account_id } of some) {
    if (isOn) ids.add(account_id);
    else ids.delete(account_id);
  }
  const all = 'matching' in selection ? selection.matching : selection.all;
  return all === undefined || ids.size === 0 ? { ids } : { ids, all };
}

/** The shown accounts from one to another, in either direction; only the last if the first is not shown. */
export function rowsBetween<R extends Row>(
  shown: readonly R[],
  first: string | undefined,
  last: string,
): R[] {
  const to = shown.findIndex(({ account_id }) => account_id === last);
  const found = shown.findIndex(({ account_id }) => account_id === first);
  const from = found === -1 ? to : found;
  return shown.slice(Math.min(from, to), Math.max(from, to) + 1);
}

/** Whether all of the shown accounts are selected, some or none. */
export function shareOf(selection: Selection, shown: readonly Row[]): 'all' | 'some' | 'none' {
  const selected = shown.filter((row) => isSelected(selection, row)).length;
  if (selected === 0) return 'none';
  return selected === shown.length ? 'all' : 'some';
}

/** Such as “12 accounts” or “at least 10,000 accounts”. */
export function countOf(selection: Selection): { readonly accounts: number; readonly isExact: boolean } {
  return 'matching' in selection ? selection.matching : { accounts: selection.ids.size, isExact: true };
}

/** The selection as the API takes it. */
export function selectionBody(selection: Selection): AccountSelection {
  return 'matching' in selection ? { matching: selection.matching.filters } : { ids: [...selection.ids] };
}
