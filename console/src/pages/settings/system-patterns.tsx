import { Box, Button, Code, Group, Paper, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { plural } from '../../parts/format';

/** What every tenant refuses: folded, since nobody can change it. */
export function SystemPatterns({ patterns }: { patterns: readonly string[] }) {
  const [isOpen, list] = useDisclosure();
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Paper p="lg" component="section" aria-label="The system’s list">
      <Title order={2} size="h4">
        The system’s list
      </Title>
      <Text c="dimmed" size="sm">
        Placeholders that broken integrations send in the place of an id. They are refused for every tenant.
      </Text>
      <Button
        variant="subtle"
        size="compact-sm"
        mt="xs"
        ml={-8}
        leftSection={<Chevron size={16} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls="system-patterns"
        onClick={list.toggle}
      >
        {isOpen ? 'Hide' : 'Show'} {plural(patterns.length, 'id')}
      </Button>
      <Box id="system-patterns">
        {isOpen && (
          <Group component="ul" gap={6} m={0} mt="sm" p={0} aria-label="Blocked for every tenant">
            {patterns.map((pattern) => (
              <Code key={pattern} component="li" className="breakable" style={{ listStyle: 'none' }}>
                {pattern}
              </Code>
            ))}
          </Group>
        )}
      </Box>
    </Paper>
  );
}
