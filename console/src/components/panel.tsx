import { Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PanelProps {
  readonly title: string;
  /** Beside the title. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Panel({ title, note, actions, children }: PanelProps) {
  return (
    <Paper p="md" component="section" aria-label={title} miw={0}>
      <Group justify="space-between" mb="sm" gap="xs" mih={30}>
        <Group gap="sm">
          <Title order={2} size="h4">
            {title}
          </Title>
          {note}
        </Group>
        {actions}
      </Group>
      {children}
    </Paper>
  );
}
