import type { Attributes } from '@account-sync/client';
import { useRef } from 'react';
import { parametersOf, useAccountCount, useAccountPage } from '../../api/account-list';
import { fieldsOf } from '../../api/fields';
import { AccountRows } from './account-rows';
import { shownColumns } from './columns';
import { ExportNotice } from './csv/export-notice';
import { useCsvExport } from './csv/use-csv-export';
import { FilterChips } from './filter-chips';
import { chipsOf } from './filter-labels';
import { KeyHints } from './key-hints';
import { isFiltered, NO_FILTER, sortOf } from './listing';
import { selectionBody } from './many/selection';
import { SelectionBar } from './many/selection-bar';
import { useSelection } from './many/use-selection';
import { NoAccountsYet } from './no-accounts';
import { Pager, rangeText } from './pager';
import { Toolbar } from './toolbar';
import { useListing } from './use-listing';
import { useRowKeys } from './use-row-keys';

export function AccountsView({ attributes }: { attributes: Attributes }) {
  const state = useListing();
  const { listing, filterBy } = state;
  const { filter, position } = listing;
  const sort = sortOf(listing);
  const page = useAccountPage({ ...listing, sort });
  const { data: count, isPlaceholderData: isOldCount } = useAccountCount(filter);
  const selection = useSelection(filter, page.accounts);
  const csv = useCsvExport();
  const rows = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  useRowKeys(rows, searchField);
  const columns = shownColumns(listing.columns, attributes);
  const chips = chipsOf(filter, fieldsOf(attributes));
  const shown = page.accounts.length;
  const next = page.hasNextPage || page.isPlaceholderData ? undefined : page.next;
  const isEmpty = page.isSuccess && !page.isPlaceholderData && shown === 0 && page.next === undefined;
  const hasNone = isEmpty && position === undefined && !isFiltered(filter);
  return (
    <>
      {hasNone ? (
        <NoAccountsYet />
      ) : (
        <>
          <Toolbar
            state={state}
            attributes={attributes}
            columns={columns}
            searchField={searchField}
            isExporting={csv.isPending}
            onExport={() =>
              csv.begin({ selection: { matching: parametersOf(filter, Date.now()) }, sort, columns })
            }
          />
          <FilterChips
            chips={chips}
            onFilter={filterBy}
            onClear={() => filterBy({ ...NO_FILTER, search: filter.search })}
          />
          <ExportNotice csv={csv} total={count?.is_exact ? count.accounts : undefined} />
          <div ref={rows}>
            <AccountRows
              state={state}
              page={page}
              isEmpty={isEmpty}
              columns={columns}
              chips={chips}
              selection={selection}
            />
          </div>
          {!isEmpty && !(page.isError && shown === 0) && (
            <Pager
              state={state}
              next={next}
              range={rangeText({
                before: page.before,
                shown,
                isLast: page.isSuccess && !page.next,
                count,
              })}
            />
          )}
          <KeyHints />
        </>
      )}
      {/* It stays when its dialog archives or deletes the last account. */}
      <SelectionBar
        state={selection}
        filter={filter}
        count={isOldCount || page.isPlaceholderData ? undefined : count}
        isExporting={csv.isPending}
        onExport={() => csv.begin({ selection: selectionBody(selection.selection), sort, columns })}
      />
    </>
  );
}
