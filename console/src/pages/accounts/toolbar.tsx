import type { Attributes } from '@account-sync/client';
import { Button, Group } from '@mantine/core';
import type { RefObject } from 'react';
import { IconDownload } from '../../icons/icons.js';
import { AddFilter } from './add-filter';
import { ColumnChooser } from './column-chooser';
import { type Column, columnsOf } from './columns';
import { SLIM } from './listing';
import { SearchBox } from './search-box';
import type { ListingState } from './use-listing';

interface ToolbarProps {
  readonly state: ListingState;
  readonly attributes: Attributes;
  readonly columns: readonly Column[];
  readonly searchField: RefObject<HTMLInputElement | null>;
  readonly isExporting: boolean;
  readonly onExport: () => void;
}

/** Search, filters, columns and export. */
export function Toolbar(props: ToolbarProps) {
  const { state, attributes, columns, searchField, isExporting, onExport } = props;
  const { listing, filterBy, showColumns } = state;
  return (
    <Group gap="xs" mb="sm">
      <SearchBox
        search={listing.filter.search}
        field={searchField}
        onSearch={(search) => filterBy({ search }, { replace: true })}
      />
      <AddFilter filter={listing.filter} attributes={attributes} onFilter={filterBy} />
      <ColumnChooser
        all={columnsOf(attributes)}
        shown={columns}
        isDefault={listing.columns === undefined}
        onColumns={showColumns}
      />
      <Button
        variant="default"
        leftSection={<IconDownload size={17} aria-hidden />}
        px={SLIM}
        disabled={isExporting}
        onClick={onExport}
      >
        Export CSV
      </Button>
    </Group>
  );
}
