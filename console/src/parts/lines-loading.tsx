import { Skeleton, Stack } from '@mantine/core';

/** In the place of lines that are being loaded. */
export function LinesLoading({ lines, height = 32 }: { lines: number; height?: number }) {
  return (
    <Stack gap="xs" aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={line} height={height} radius="sm" />
      ))}
    </Stack>
  );
}
