import { Code, List, Paper, Text, Title } from '@mantine/core';
import type { Settings } from '../../api/settings';
import { CodeBlock } from '../../components/code-block';

/** Read-only: only the operator of the service can change host names. */
export function HostNames({ settings: { hosts, tenant } }: { settings: Settings }) {
  return (
    <Paper p="lg" component="section" aria-label="Host names">
      <Title order={2} size="h4">
        Host names
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        Under these host names, the service accepts only keys of this tenant.
      </Text>
      {hosts.length === 0 ? (
        <Text size="sm">None. The keys of this tenant work under every host name of the service.</Text>
      ) : (
        <List size="sm" withPadding>
          {hosts.map((host) => (
            <List.Item key={host} className="breakable">
              <Code>{host}</Code>
            </List.Item>
          ))}
        </List>
      )}
      <Text c="dimmed" size="sm" mt="md" mb={6}>
        Only the operator can change host names, with this command on the server:
      </Text>
      <CodeBlock
        text={`account-sync tenant set ${tenant} --host ${hosts.join(' ') || 'sync.example.com'}`}
        label="the command"
      />
    </Paper>
  );
}
