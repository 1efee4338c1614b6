import { Code, Group, Paper, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { plural } from '../../parts/format';
import { FoldButton } from './fold-button';

/** What every tenant refuses: folded, since nobody can change it. */
export function SystemPatterns({ patterns }: { patterns: readonly string[] }) {
  const [isOpen, list] = useDisclosure();
  return (
    <Paper p="lg" component="section" aria-label="The system’s list">
      <Title order={2} size="h4">
        The system’s list
      </Title>
      <Text c="dimmed" size="sm">
        Placeholders that broken integrations send in the place of an id. They are refused for every tenant.
      </Text>
      <FoldButton isOpen={isOpen} onToggle={list.toggle} what={plural(patterns.length, 'id')} />
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
