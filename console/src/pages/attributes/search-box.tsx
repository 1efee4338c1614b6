import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

interface SearchBoxProps {
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

export function SearchBox({ search, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(search);
  const [said, setSaid] = useState(search);
  const sayLater = useDebouncedCallback((next: string) => {
    setSaid(next);
    onSearch(next);
  }, 200);
  // Somebody else changed it: a link, or what clears the search.
  if (search !== said) {
    setSaid(search);
    setText(search);
  }
  const write = (next: string) => {
    setText(next);
    sayLater(next);
  };
  return (
    <TextInput
      type="search"
      aria-label="Search by name"
      placeholder="Search by name"
      maw={360}
      value={text}
      onChange={(event) => write(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => write('')} />
      }
    />
  );
}
