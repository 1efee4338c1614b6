import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { useAccountPage } from '../../api/account-list';
import { ErrorState } from '../../parts/error-state';
import { AccountCards, SortChoice } from './account-cards';
import { AccountTable } from './account-table';
import type { Column } from './columns';
import type { Chip } from './filter-words';
import { NO_FILTER, sortOf } from './listing';
import { LookingFurther } from './looking-further';
import { NothingFound, NothingHere } from './no-accounts';
import type { ListingState } from './use-listing';

interface AccountRowsProps {
  readonly state: ListingState;
  readonly page: ReturnType<typeof useAccountPage>;
  /** Nothing is there, and nothing more will come. */
  readonly isEmpty: boolean;
  readonly columns: readonly Column[];
  readonly chips: readonly Chip[];
}

/** The page: as a table, as cards on a phone, or why there is none. */
export function AccountRows({ state, page, isEmpty, columns, chips }: AccountRowsProps) {
  const { listing, choose } = state;
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  useReturn(state.opened, page.accounts.length > 0);
  const toFirst = () => choose({});
  const search = listing.filter.search.trim();
  if (isEmpty && listing.place !== undefined) return <NothingHere onFirst={toFirst} />;
  if (isEmpty) {
    return (
      <NothingFound
        search={search}
        filters={chips.map(({ words }) => words)}
        onClear={() => choose({ filter: NO_FILTER })}
      />
    );
  }
  const accounts = page.isPending ? undefined : page.accounts;
  const sorting = { sort: sortOf(listing), onSort: (sort: typeof listing.sort) => choose({ sort }) };
  const hasRows = accounts === undefined || accounts.length > 0;
  return (
    <div className={page.isPlaceholderData ? 'outdated' : undefined} aria-busy={page.isPlaceholderData}>
      {isPhone && <SortChoice {...sorting} />}
      {hasRows && isPhone && <AccountCards columns={columns} accounts={accounts} search={search} />}
      {hasRows && !isPhone && (
        <AccountTable columns={columns} accounts={accounts} search={search} {...sorting} />
      )}
      <Rest page={page} {...(listing.place && { toFirst })} />
    </div>
  );
}

/** What comes behind the rows where the page is not whole. */
function Rest({ page, toFirst }: { page: AccountRowsProps['page']; toFirst?: () => void }) {
  if (page.isError) {
    const retry = () => (page.data === undefined ? page.refetch() : page.fetchNextPage());
    return (
      <>
        <ErrorState error={page.error} retry={retry} />
        {toFirst !== undefined && (
          <Button variant="default" mt="sm" onClick={toFirst}>
            To the first page
          </Button>
        )}
      </>
    );
  }
  if (!page.hasNextPage || page.isPlaceholderData) return null;
  return (
    <LookingFurther
      found={page.accounts.length}
      isLooking={page.isLookingFurther || page.isFetchingNextPage}
      goOn={() => page.fetchNextPage()}
    />
  );
}

/** Who comes back from an account finds it, and goes on from there. */
function useReturn(opened: string | undefined, isThere: boolean): void {
  const [returnedTo] = useState(opened);
  useEffect(() => {
    if (returnedTo === undefined || !isThere) return;
    document.querySelector<HTMLElement>(`[data-row="${CSS.escape(returnedTo)}"]`)?.focus();
  }, [returnedTo, isThere]);
}
