import { Kbd, Text } from '@mantine/core';

export function KeyHints() {
  return (
    <Text size="xs" c="dimmed" mt="md" visibleFrom="sm">
      Press <Kbd size="xs">/</Kbd> to search, <Kbd size="xs">j</Kbd> and <Kbd size="xs">k</Kbd> or the arrow
      keys to move between rows, <Kbd size="xs">Enter</Kbd> to open an account, <Kbd size="xs">x</Kbd> to
      select it, <Kbd size="xs">a</Kbd> to go to the actions for the selected accounts.
    </Text>
  );
}
