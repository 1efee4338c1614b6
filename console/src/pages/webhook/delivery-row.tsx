import type { WebhookDelivery } from '@account-sync/client';
import { Badge, Box, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CodeBlock } from '../../components/code-block';
import { formatLocal, formatNumber, plural } from '../../components/format';
import { Timestamp } from '../../components/timestamp';
import { IconChevronDown, IconChevronRight } from '../../icons/icons.js';

/** One attempt, with the beginning of the answer on demand. */
export function DeliveryRow({ delivery }: { delivery: WebhookDelivery }) {
  const { at, status, error, attempt, messages, events, took_ms, message_id, answer } = delivery;
  const [isOpen, details] = useDisclosure();
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <li>
      <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
        <Box miw={0}>
          <Group gap="4px 8px">
            <Badge color={error === null ? 'teal' : 'red'} size="sm" miw="max-content">
              {status ?? 'No answer'}
            </Badge>
            <Text size="sm" className="breakable">
              {error ?? 'Taken'}
            </Text>
            <Text size="sm" c="dimmed">
              <Timestamp at={at} />
            </Text>
          </Group>
          <Text size="xs" c="dimmed" className="breakable numbers" mt={2}>
            {plural(events, 'event')}
            {messages > 1 && ` in ${plural(messages, 'message')}`} · attempt {formatNumber(attempt)} ·{' '}
            {formatNumber(took_ms)} ms · {message_id}
          </Text>
        </Box>
        {answer !== null && answer !== '' && (
          <Button
            variant="subtle"
            color="gray"
            c="dimmed"
            size="compact-sm"
            style={{ flexShrink: 0 }}
            leftSection={<Chevron size={14} aria-hidden />}
            aria-expanded={isOpen}
            aria-label={`Answer at ${formatLocal(at)}`}
            onClick={details.toggle}
          >
            Answer
          </Button>
        )}
      </Group>
      {isOpen && answer !== null && (
        <Box mt="xs">
          <CodeBlock text={answer} label={`the answer at ${formatLocal(at)}`} maxHeight={200} wraps />
        </Box>
      )}
    </li>
  );
}
