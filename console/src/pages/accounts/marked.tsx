import { Mark } from '@mantine/core';

/** A text, with what was searched for marked where it begins so. */
export function Marked({ text, search }: { text: string; search: string }) {
  const start = text.slice(0, search.length);
  if (search === '' || start.toLowerCase() !== search.toLowerCase()) return text;
  return (
    <>
      <Mark>{start}</Mark>
      {text.slice(search.length)}
    </>
  );
}
