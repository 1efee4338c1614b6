import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

interface PageHeadProps {
  readonly title: string;
  /** In place of the plain title, where more is to be seen. */
  readonly heading?: ReactNode;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
}

/** The top of a page; names it in the browser's tab, too. */
export function PageHead({ title, heading, description, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · account-sync`;
  }, [title]);
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="sm">
      <Stack gap={2} miw={0}>
        <Title order={1} size="h2" className="breakable">
          {heading ?? title}
        </Title>
        {description !== undefined && (
          <Text c="dimmed" size="sm" component="div">
            {description}
          </Text>
        )}
      </Stack>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
