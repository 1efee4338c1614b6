import { useMediaQuery } from '@mantine/hooks';

/** Whether a table with many columns does not fit. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false });
}
