import type { Json } from '@account-sync/client';
import { Box, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AuditEntry } from '../../api/audit';
import { CodeBlock } from '../../components/code-block';
import { Person } from '../../components/sender-name';
import { Timestamp } from '../../components/timestamp';
import { IconChevronDown, IconChevronRight } from '../../icons/icons.js';
import { describeEntry } from './describe-entry';

const WITHOUT_KEY: Readonly<Record<AuditEntry['via'], string>> = {
  api: 'over the API',
  'command line': 'on the command line',
  service: 'by the service itself',
};

interface AuditRowProps {
  readonly entry: AuditEntry;
  readonly keyName: (id: string) => string;
}

export function AuditRow({ entry, keyName }: AuditRowProps) {
  const [isOpen, details] = useDisclosure();
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
            <Timestamp at={entry.at} /> <By entry={entry} keyName={keyName} />
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
          aria-label={`Details, before and after: ${subject}`}
          onClick={details.toggle}
        >
          Details
        </Button>
      </Group>
      {isOpen && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Value title="Before" value={entry.from} />
          <Value title="After" value={entry.to} />
        </SimpleGrid>
      )}
    </Stack>
  );
}

function By({ entry: { key_id, user, via }, keyName }: AuditRowProps) {
  if (user !== null) {
    return (
      <>
        by <Person user={user} />
      </>
    );
  }
  return key_id === null ? WITHOUT_KEY[via] : `by key ${keyName(key_id)}`;
}

function Value({ title, value }: { title: string; value: Json }) {
  return (
    <Box miw={0}>
      <Text size="xs" c="dimmed" mb={4}>
        {title}
      </Text>
      {value === null ? (
        <Text size="sm">None</Text>
      ) : (
        <CodeBlock text={JSON.stringify(value, null, 2)} label={title.toLowerCase()} />
      )}
    </Box>
  );
}
