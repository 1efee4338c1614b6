import { Skeleton, Stack } from '@mantine/core';

/** Placeholder for lines that are loading. */
export function SkeletonLines({ lines, height = 32 }: { lines: number; height?: number }) {
  return (
    <Stack gap="xs" aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all lines are identical
        <Skeleton key={line} height={height} radius="sm" />
      ))}
    </Stack>
  );
}
