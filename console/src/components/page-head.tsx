import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

interface PageHeadProps {
  readonly title: string;
  /** Shown instead of the title, which then only names the browser tab. */
  readonly heading?: ReactNode;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
}

/** Heading of a page. Also sets the title of the browser tab. */
export function PageHead({ title, heading, description, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · account-sync`;
  }, [title]);
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="sm">
      {/* A long description wraps beside the actions. On a phone they are below it. */}
      <Stack gap={2} miw={0} flex="1 1 20rem">
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
