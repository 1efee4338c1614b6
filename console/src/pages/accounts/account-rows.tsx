import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { useAccountPage } from '../../api/account-list';
import { ErrorState } from '../../components/error-state';
import { AccountCards, SortChoice } from './account-cards';
import { AccountTable } from './account-table';
import type { Column } from './columns';
import type { Chip } from './filter-labels';
import { NO_FILTER, sortOf } from './listing';
import { SelectShown } from './many/select-account';
import type { SelectionState } from './many/use-selection';
import { NothingFound, NothingHere } from './no-accounts';
import { ScanProgress } from './scan-progress';
import type { ListingState } from './use-listing';

interface AccountRowsProps {
  readonly state: ListingState;
  readonly page: ReturnType<typeof useAccountPage>;
  /** Whether there are no accounts and the scan is complete. */
  readonly isEmpty: boolean;
  readonly columns: readonly Column[];
  readonly chips: readonly Chip[];
  readonly selection: SelectionState;
}

/** A page of accounts as a table, as cards on a phone, or an explanation why it is empty. */
export function AccountRows(props: AccountRowsProps) {
  const { state, page, isEmpty, columns, chips, selection } = props;
  const { listing, choose } = state;
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  useRestoreFocus(state.opened, page.accounts.length > 0);
  const toFirst = () => choose({});
  const search = listing.filter.search.trim();
  if (isEmpty && listing.position !== undefined) return <NothingHere onFirst={toFirst} />;
  if (isEmpty) {
    return (
      <NothingFound
        search={search}
        filters={chips.map(({ label }) => label)}
        onClear={() => choose({ filter: NO_FILTER })}
      />
    );
  }
  const accounts = page.isPending ? undefined : page.accounts;
  const sorting = { sort: sortOf(listing), onSort: (sort: typeof listing.sort) => choose({ sort }) };
  const shown = { columns, accounts, search, selection };
  const hasRows = accounts === undefined || accounts.length > 0;
  return (
    <div className={page.isPlaceholderData ? 'outdated' : undefined} aria-busy={page.isPlaceholderData}>
      {isPhone && (
        <Group justify="space-between" mb="sm" wrap="nowrap">
          <SortChoice {...sorting} />
          <SelectShown
            selection={selection}
            disabled={accounts === undefined}
            label="Select all on this page"
          />
        </Group>
      )}
      {hasRows && isPhone && <AccountCards {...shown} />}
      {hasRows && !isPhone && <AccountTable {...shown} {...sorting} />}
      <Rest page={page} {...(listing.position && { toFirst })} />
    </div>
  );
}

/** Shown after the rows if the page is incomplete. */
function Rest({ page, toFirst }: { page: AccountRowsProps['page']; toFirst?: () => void }) {
  if (page.isError) {
    const retry = () => (page.data === undefined ? page.refetch() : page.fetchNextPage());
    return (
      <>
        <ErrorState error={page.error} retry={retry} />
        {toFirst !== undefined && (
          <Button variant="default" mt="sm" onClick={toFirst}>
            Go to the first page
          </Button>
        )}
      </>
    );
  }
  if (!page.hasNextPage || page.isPlaceholderData) return null;
  return (
    <ScanProgress
      found={page.accounts.length}
      isScanning={page.isScanning || page.isFetchingNextPage}
      onContinue={() => page.fetchNextPage()}
    />
  );
}

/** After a return from an account, its row has the focus again. */
function useRestoreFocus(opened: string | undefined, isLoaded: boolean): void {
  const [returnedTo] = useState(opened);
  useEffect(() => {
    if (returnedTo === undefined || !isLoaded) return;
    document.querySelector<HTMLElement>(`[data-row="${CSS.escape(returnedTo)}"]`)?.focus();
  }, [returnedTo, isLoaded]);
}
