import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { AccountFilter, PagePosition } from '../../api/account-list';
import { type Listing, readListing, writeListing } from './listing';

/** Stored in the browser history instead of the URL: it would make the URL long, and links work without it. */
interface HistoryState {
  /** Positions of the previous pages; null for the first page. */
  readonly previous?: readonly (PagePosition | null)[];
  /** Id of the account that was opened from this page. */
  readonly opened?: string;
}

/** Limits the size of a history entry. Further back, the list continues with the first page. */
const MAX_PREVIOUS = 500;

export interface ListingState {
  readonly listing: Listing;
  /** Applies changes and goes to the first page. */
  readonly choose: (changes: Partial<Listing>, options?: { readonly replace?: boolean }) => void;
  readonly filterBy: (changes: Partial<AccountFilter>, options?: { readonly replace?: boolean }) => void;
  /** Keeps the current page. */
  readonly showColumns: (columns: Listing['columns']) => void;
  readonly goForward: (position: PagePosition) => void;
  /** Undefined on the first page. */
  readonly goBack: (() => void) | undefined;
  /** Whether the previous page is known. Otherwise `goBack` goes to the first page. */
  readonly knowsPrevious: boolean;
  readonly opened: string | undefined;
}

/** The state of the list, stored in the URL, so that it can be shared and the back button works. */
export function useListing(): ListingState {
  const [query, setQuery] = useSearchParams();
  const { previous = [], opened }: HistoryState = useHistoryState<HistoryState | null>() ?? {};
  const listing = useMemo(() => readListing(query), [query]);
  const { filter, position } = listing;
  const go = (changes: Partial<Listing>, state: HistoryState = {}, replace = false) =>
    setQuery(writeListing({ ...listing, ...changes }), { replace, state });
  const turnTo = (to: PagePosition | undefined, pages: readonly (PagePosition | null)[]) => {
    go({ position: to }, { previous: pages.slice(-MAX_PREVIOUS) });
    window.scrollTo({ top: 0 });
  };
  const choose: ListingState['choose'] = (changes, { replace } = {}) =>
    go({ position: undefined, ...changes }, {}, replace);
  return {
    listing,
    choose,
    filterBy: (changes, options) => choose({ filter: { ...filter, ...changes } }, options),
    showColumns: (columns) => go({ columns }, { previous }),
    goForward: (next) => turnTo(next, [...previous, position ?? null]),
    goBack: position && (() => turnTo(previous.at(-1) ?? undefined, previous.slice(0, -1))),
    knowsPrevious: previous.length > 0,
    opened,
  };
}

/** Stores the opened account in the history entry, so that its row can have the focus after a return. */
export function rememberOpened(id: string): void {
  history.replaceState({ ...history.state, opened: id }, '');
}
