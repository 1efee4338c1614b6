import { Kbd, Text } from '@mantine/core';

export function KeyHints() {
  return (
    <Text size="xs" c="dimmed" mt="md" visibleFrom="sm">
      <Kbd size="xs">/</Kbd> searches, <Kbd size="xs">j</Kbd> and <Kbd size="xs">k</Kbd> or the arrow keys
      move over the rows, <Kbd size="xs">Enter</Kbd> opens.
    </Text>
  );
}
