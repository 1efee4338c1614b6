import { Anchor, Code, Group, Loader, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { Link } from 'wouter';
import { useScopes } from '../../api/session';
import { CodeBlock } from '../../components/code-block';
import { IconSend } from '../../icons/icons.js';

const COMMAND = `curl -X POST ${location.origin}/api/v1_1/account \\
  -H "Authorization: Bearer $ACCOUNT_SYNC_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"account_id":"acme.com","name":"Acme Inc.","licenses":25}'`;

/** Shown instead of the charts until the first account is stored. */
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
              This tenant has no accounts yet.
            </Text>
          </div>
        </Group>
        <Text size="sm">
          Any system that can send JSON over HTTP can send accounts. To try it in a shell, set{' '}
          <Code>ACCOUNT_SYNC_KEY</Code> to a key with the scope sync and run:
        </Text>
        <CodeBlock text={COMMAND} label="the command" />
        <Group gap="sm" role="status" wrap="nowrap">
          <Loader size="xs" type="dots" aria-hidden />
          <Text size="sm" c="dimmed">
            Waiting for the first account. It appears here as soon as it is stored.
          </Text>
        </Group>
        {maySync && (
          <Text size="sm">
            Or write a record in the console and send it with{' '}
            <Anchor component={Link} href="/try" inherit underline="always">
              Try it
            </Anchor>
            .
          </Text>
        )}
        <Text size="sm">
          To explore the console first, run <Code>npx account-sync demo</Code> on the server. It creates a
          separate tenant with two weeks of sample data, and prints a key for it.
        </Text>
      </Stack>
    </Paper>
  );
}
