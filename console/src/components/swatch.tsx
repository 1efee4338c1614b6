import { Box } from '@mantine/core';

/** Colour sample of a series. */
export function Swatch({ colour }: { colour: string }) {
  return (
    <Box component="span" display="inline-block" flex="none" w={10} h={10} bdrs={3} bg={colour} aria-hidden />
  );
}
