import { Box, Group, Text } from '@mantine/core';
import type { LiveChanges } from './use-live-feed';

const STATES = {
  connecting: { text: 'Connecting', colour: 'var(--mantine-color-dimmed)' },
  live: { text: 'Live', colour: 'var(--mantine-color-teal-6)' },
  reconnecting: { text: 'Reconnecting', colour: 'var(--mantine-color-yellow-6)' },
  broken: { text: 'Not connected', colour: 'var(--mantine-color-red-6)' },
  paused: { text: 'Paused', colour: 'var(--mantine-color-dimmed)' },
} as const;

/** Shows whether the list of changes is up to date. */
export function ConnectionStatus({ feed: { connection, isPaused } }: { feed: LiveChanges }) {
  const { text, colour } = STATES[isPaused && connection === 'live' ? 'paused' : connection];
  return (
    <Group gap={6} wrap="nowrap">
      <Box w={8} h={8} bg={colour} style={{ borderRadius: '50%' }} aria-hidden />
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </Group>
  );
}
