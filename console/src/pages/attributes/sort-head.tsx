import { type MantineBreakpoint, Table, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconArrowDown, IconArrowUp } from '../../icons/icons.js';
import classes from './attributes.module.css';
import type { Sort } from './use-view';

interface SortHeadProps {
  readonly sort: Sort;
  readonly current: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly visibleFrom?: MantineBreakpoint;
  readonly children: ReactNode;
}

/** Header of a sortable column. Texts sort ascending, numbers descending. */
export function SortHead({ sort, current, onSort, children, ...others }: SortHeadProps) {
  const isCurrent = sort === current;
  const Icon = sort === 'use' ? IconArrowDown : IconArrowUp;
  const order = sort === 'use' ? 'descending' : 'ascending';
  return (
    <Table.Th aria-sort={isCurrent ? order : 'none'} {...others}>
      <UnstyledButton className={classes.sort} fz="sm" onClick={() => onSort(sort)}>
        {children}
        <Icon size={14} aria-hidden visibility={isCurrent ? 'visible' : 'hidden'} />
      </UnstyledButton>
    </Table.Th>
  );
}
