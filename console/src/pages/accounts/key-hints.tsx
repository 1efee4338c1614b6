import { Kbd, Text } from '@mantine/core';

export function KeyHints() {
  return (
    <Text size="xs" c="dimmed" mt="md" visibleFrom="sm">
      Press <Kbd size="xs">/</Kbd> to search, <Kbd size="xs">j</Kbd> and <Kbd size="xs">k</Kbd> or the arrow
      keys to move between rows, <Kbd size="xs">Enter</Kbd> to open an account.
    </Text>
  );
}
