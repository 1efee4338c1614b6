import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { AccountFilter, Place } from '../../api/account-list';
import { type Listing, readListing, writeListing } from './listing';

/** Beside the address, in the browser's history: it would make the address long, and a link works without. */
interface Memory {
  /** Where the pages before this one begin; null for the first. */
  readonly passed?: readonly (Place | null)[];
  /** The account that was opened from here. */
  readonly opened?: string;
}

/** Further back than that, one begins again. */
const MAX_PASSED = 500;

export interface ListingState {
  readonly listing: Listing;
  /** Goes to the first page of what is chosen. */
  readonly choose: (changes: Partial<Listing>, options?: { readonly replace?: boolean }) => void;
  readonly filterBy: (changes: Partial<AccountFilter>, options?: { readonly replace?: boolean }) => void;
  /** Stays where it is. */
  readonly showColumns: (columns: Listing['columns']) => void;
  readonly goOn: (place: Place) => void;
  /** Undefined on the first page. */
  readonly goBack: (() => void) | undefined;
  /** Whether the page before is known; otherwise one goes back to the first. */
  readonly knowsPrevious: boolean;
  readonly opened: string | undefined;
}

/** What is shown is in the address: it can be shared, and the browser's buttons go back and forth in it. */
export function useListing(): ListingState {
  const [address, setAddress] = useSearchParams();
  const { passed = [], opened }: Memory = useHistoryState<Memory | null>() ?? {};
  const listing = useMemo(() => readListing(address), [address]);
  const { filter, place } = listing;
  const go = (changes: Partial<Listing>, state: Memory = {}, replace = false) =>
    setAddress(writeListing({ ...listing, ...changes }), { replace, state });
  const turnTo = (to: Place | undefined, left: readonly (Place | null)[]) => {
    go({ place: to }, { passed: left.slice(-MAX_PASSED) });
    window.scrollTo({ top: 0 });
  };
  const choose: ListingState['choose'] = (changes, { replace } = {}) =>
    go({ place: undefined, ...changes }, {}, replace);
  return {
    listing,
    choose,
    filterBy: (changes, options) => choose({ filter: { ...filter, ...changes } }, options),
    showColumns: (columns) => go({ columns }, { passed }),
    goOn: (next) => turnTo(next, [...passed, place ?? null]),
    goBack: place && (() => turnTo(passed.at(-1) ?? undefined, passed.slice(0, -1))),
    knowsPrevious: passed.length > 0,
    opened,
  };
}

/** Notes in the history which account is being left for, so that who comes back finds it. */
export function noteOpened(id: string): void {
  history.replaceState({ ...history.state, opened: id }, '');
}
