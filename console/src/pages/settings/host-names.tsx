import { Code, List, Paper, Text, Title } from '@mantine/core';
import type { Settings } from '../../api/settings';
import { CodeBlock } from '../../parts/code-block';

/** Shown only: which names lead here is a matter of whoever runs the service. */
export function HostNames({ settings: { hosts, tenant } }: { settings: Settings }) {
  return (
    <Paper p="lg" component="section" aria-label="Host names">
      <Title order={2} size="h4">
        Host names
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        At these names, only keys of this tenant are let in.
      </Text>
      {hosts.length === 0 ? (
        <Text size="sm">None. The tenant is reached at every name of the service, by its keys alone.</Text>
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
        Only whoever runs the service can change them, on its machine:
      </Text>
      <CodeBlock
        text={`account-sync tenant set ${tenant} --host ${hosts.join(' ') || 'sync.example.com'}`}
        label="the command"
      />
    </Paper>
  );
}
