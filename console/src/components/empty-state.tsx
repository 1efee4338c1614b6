import { Center, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Icon } from '../icons/create-icon.js';

interface EmptyStateProps {
  readonly icon: Icon;
  readonly title: string;
  /** What it means, and what to do next. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Shown instead of a list that has no entries. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <Center py="xl" px="md" mih={240}>
      <Stack align="center" gap="xs" maw={440}>
        <ThemeIcon variant="light" size={52} radius="xl">
          <Icon size={26} stroke={1.5} aria-hidden />
        </ThemeIcon>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        {children !== undefined && (
          <Text c="dimmed" size="sm" ta="center" component="div">
            {children}
          </Text>
        )}
        {action !== undefined && (
          <Group mt="xs" gap="xs" justify="center">
            {action}
          </Group>
        )}
      </Stack>
    </Center>
  );
}
