import { Code, Group, Paper, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ExpandButton } from '../../components/expand-button';
import { plural } from '../../components/format';

/** Patterns that apply to every tenant. Collapsed, because they cannot be changed. */
export function SystemPatterns({ patterns }: { patterns: readonly string[] }) {
  const [isOpen, list] = useDisclosure();
  return (
    <Paper p="lg" component="section" aria-label="System list">
      <Title order={2} size="h4">
        System list
      </Title>
      <Text c="dimmed" size="sm">
        Placeholders that faulty integrations send instead of an id. They are blocked for every tenant.
      </Text>
      <ExpandButton isOpen={isOpen} onToggle={list.toggle} what={plural(patterns.length, 'id')} />
      {isOpen && (
        <Group component="ul" gap={6} m={0} mt="sm" p={0} aria-label="Blocked for every tenant">
          {patterns.map((pattern) => (
            <Code key={pattern} component="li" className="breakable" style={{ listStyle: 'none' }}>
              {pattern}
            </Code>
          ))}
        </Group>
      )}
    </Paper>
  );
}
