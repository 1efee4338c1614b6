import { Group, Table, UnstyledButton } from '@mantine/core';
import type { Sort } from '../../api/account-list';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '../../icons/icons.js';
import type { Column } from './columns';

interface ColumnHeadProps {
  readonly column: Column;
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort | undefined) => void;
}

/** Header of a column. Clicks on a sortable one cycle through both directions and the default order. */
export function ColumnHead({ column: { label, sort: by, type, field }, sort, onSort }: ColumnHeadProps) {
  const isNumber = type === 'integer' || type === 'decimal';
  if (by === undefined) {
    return (
      <Table.Th scope="col" ta={isNumber ? 'end' : undefined} title={field?.title}>
        {label}
      </Table.Th>
    );
  }
  const isAscending = sort === by;
  const isSorted = isAscending || sort === `-${by}`;
  const Icon = isSorted ? (isAscending ? IconArrowUp : IconArrowDown) : IconArrowsSort;
  return (
    <Table.Th scope="col" aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : undefined}>
      <UnstyledButton fz="inherit" fw="inherit" onClick={() => onSort(nextSort(by, sort))}>
        <Group gap={4} wrap="nowrap">
          {label}
          <Icon size={14} aria-hidden className={isSorted ? undefined : 'sort-offer'} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}

/** The first click sorts changes by newest first, and ids and names from A to Z. */
export function nextSort(by: NonNullable<Column['sort']>, sort: Sort | undefined): Sort | undefined {
  const [first, second]: Sort[] = by === 'updated' ? ['-updated', 'updated'] : [by, `-${by}`];
  if (sort === first) return second;
  return sort === second ? undefined : first;
}
