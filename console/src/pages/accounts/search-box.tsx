import { Kbd } from '@mantine/core';
import type { RefObject } from 'react';
import { DebouncedInput } from '../../components/debounced-input';
import { IconSearch } from '../../icons/icons.js';
import { MAX_SEARCH } from './listing';

interface SearchBoxProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly field: RefObject<HTMLInputElement | null>;
}

export function SearchBox({ search, onSearch, field }: SearchBoxProps) {
  return (
    <DebouncedInput
      field={field}
      aria-label="Search by id or name"
      placeholder="Id or name starts with …"
      value={search}
      onValue={onSearch}
      maxLength={MAX_SEARCH}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        <Kbd size="xs" visibleFrom="sm" aria-hidden>
          /
        </Kbd>
      }
      flex={{ base: '1 0 100%', sm: '1 1 260px' }}
      maw={{ sm: 420 }}
    />
  );
}
