import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { MAX_SEARCH } from './listing';

interface SearchBoxProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly field: RefObject<HTMLInputElement | null>;
}

/** Searches while one types, a moment after the last key. */
export function SearchBox({ search, onSearch, field }: SearchBoxProps) {
  const [text, setText] = useState(search);
  const told = useRef(search);
  const tell = useDebouncedCallback((value: string) => {
    told.current = value;
    onSearch(value);
  }, 250);
  // The address may change by itself: by the browser's buttons, or when filters are cleared.
  useEffect(() => {
    if (search === told.current) return;
    told.current = search;
    tell.cancel();
    setText(search);
  }, [search, tell]);
  const change = (value: string) => {
    setText(value);
    tell(value);
  };
  const clear = () => {
    change('');
    tell.flush();
    field.current?.focus();
  };
  return (
    <TextInput
      ref={field}
      aria-label="Search by id or name"
      placeholder="Id or name begins with …"
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') clear();
        if (event.key === 'Enter') tell.flush();
      }}
      maxLength={MAX_SEARCH}
      autoComplete="off"
      spellCheck={false}
      leftSection={<IconSearch size={17} aria-hidden />}
      rightSection={
        text === '' ? (
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            /
          </Kbd>
        ) : (
          <CloseButton size="sm" aria-label="Clear the search" onClick={clear} />
        )
      }
      flex={{ base: '1 0 100%', sm: '1 1 260px' }}
      maw={{ sm: 420 }}
    />
  );
}
