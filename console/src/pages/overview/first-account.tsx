import { Anchor, Code, Group, Loader, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useScopes } from '../../api/session';
import { CodeBlock } from '../../parts/code-block';

const COMMAND = `curl -X POST ${location.origin}/api/v1_1/account \\
  -H "Authorization: Bearer $ACCOUNT_SYNC_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"account_id":"acme.com","name":"Acme Inc.","licenses":25}'`;

/** In the place of charts, until the first account has come. */
export function FirstAccount() {
  const { maySync } = useScopes();
  return (
    <Paper p={{ base: 'md', sm: 'xl' }}>
      <Stack maw={720} mx="auto" gap="md">
        <Group gap="md" wrap="nowrap">
          <ThemeIcon variant="light" size={52} radius="xl">
            <IconSend size={26} stroke={1.5} aria-hidden />
          </ThemeIcon>
          <div>
            <Title order={2} size="h3">
              Send your first account
            </Title>
            <Text c="dimmed" size="sm">
              Nothing is stored for this tenant yet.
            </Text>
          </div>
        </Group>
        <Text size="sm">
          Any system that can send JSON will do. In a shell, with a key that may sync in{' '}
          <Code>ACCOUNT_SYNC_KEY</Code>:
        </Text>
        <CodeBlock text={COMMAND} label="the command" />
        <Group gap="sm" role="status" wrap="nowrap">
          <Loader size="xs" type="dots" aria-hidden />
          <Text size="sm" c="dimmed">
            Waiting for the first account. This page shows it as soon as it is there.
          </Text>
        </Group>
        {maySync && (
          <Text size="sm">
            Or write a record here and send it, with{' '}
            <Anchor component={Link} href="/try" inherit underline="always">
              Try it
            </Anchor>
            .
          </Text>
        )}
        <Text size="sm">
          To look around first, run <Code>npx account-sync demo</Code> where the service runs: it makes a
          tenant of its own with two weeks of made-up accounts, and the key to it.
        </Text>
      </Stack>
    </Paper>
  );
}
