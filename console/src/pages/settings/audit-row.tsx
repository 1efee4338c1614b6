import type { Json } from '@account-sync/client';
import { Box, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { AuditEntry } from '../../api/audit';
import { CodeBlock } from '../../parts/code-block';
import { Moment } from '../../parts/moment';
import { describeEntry } from './describe-entry';

interface AuditRowProps {
  readonly entry: AuditEntry;
  readonly keyName: (id: string) => string;
}

export function AuditRow({ entry, keyName }: AuditRowProps) {
  const [isOpen, raw] = useDisclosure();
  const { subject, change } = describeEntry(entry, keyName);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Stack
      component="li"
      gap="xs"
      py="sm"
      style={{ listStyle: 'none', borderTop: '1px solid var(--mantine-color-default-border)' }}
    >
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <Box miw={0}>
          <Text size="sm" className="breakable">
            <b>{subject}</b> {change}
          </Text>
          <Text size="xs" c="dimmed" className="breakable">
            <Moment at={entry.at} />{' '}
            {entry.key_id === null ? 'on the command line' : `by ${keyName(entry.key_id)}`}
            {entry.request_id !== null && `, request ${entry.request_id}`}
          </Text>
        </Box>
        <Button
          variant="subtle"
          color="gray"
          c="dimmed"
          size="compact-sm"
          style={{ flexShrink: 0 }}
          leftSection={<Chevron size={14} aria-hidden />}
          aria-expanded={isOpen}
          aria-label={`Raw, before and after: ${subject}`}
          onClick={raw.toggle}
        >
          Raw
        </Button>
      </Group>
      {isOpen && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Raw title="Before" value={entry.from} />
          <Raw title="After" value={entry.to} />
        </SimpleGrid>
      )}
    </Stack>
  );
}

function Raw({ title, value }: { title: string; value: Json }) {
  return (
    <Box miw={0}>
      <Text size="xs" c="dimmed" mb={4}>
        {title}
      </Text>
      {value === null ? (
        <Text size="sm">Nothing</Text>
      ) : (
        <CodeBlock text={JSON.stringify(value, null, 2)} label={title.toLowerCase()} />
      )}
    </Box>
  );
}
