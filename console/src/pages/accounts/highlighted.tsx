import { Mark } from '@mantine/core';

/** A text that highlights the search term if it starts with it. */
export function Highlighted({ text, search }: { text: string; search: string }) {
  const start = text.slice(0, search.length);
  if (search === '' || start.toLowerCase() !== search.toLowerCase()) return text;
  return (
    <>
      <Mark>{start}</Mark>
      {text.slice(search.length)}
    </>
  );
}
