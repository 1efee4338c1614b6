import { Button, Group, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useKeyLabels } from '../../api/keys';
import type { Rejection } from '../../api/rejections';
import { useScopes } from '../../api/session';
import { AccountLink } from '../../parts/account-link';
import { CopyButton } from '../../parts/copy-button';
import { formatLocal, formatNumber } from '../../parts/format';
import { Moment } from '../../parts/moment';
import { OPERATIONS } from './operations';
import { beginningOf, isObject, jsonOf } from './record-lines';
import { RecordView } from './record-view';

/** One record that was refused: when, by which key and request, and what was in it. */
export function RefusalCard({ refusal }: { refusal: Rejection }) {
  const { at, key_id, request_id, operation, index, account_id, record } = refusal;
  const { maySync } = useScopes();
  const label = useKeyLabels().get(key_id);
  const isWhole = isObject(record) && beginningOf(record) === undefined;
  const place = index === null ? '' : `, record ${formatNumber(index + 1)}`;
  return (
    <Stack component="li" gap={6} aria-label={`Refusal of ${formatLocal(at)}`}>
      <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
        <Stack gap={0} miw={0}>
          <Group gap="0 8px" fz="sm">
            <Text size="sm" fw={600} className="numbers">
              {formatLocal(at)}
            </Text>
            <Text size="sm" c="dimmed">
              <Moment at={at} />
            </Text>
            {account_id && <AccountLink id={account_id} />}
          </Group>
          <Group gap={4} wrap="nowrap">
            <Text size="xs" c="dimmed" className="breakable">
              {label ? `${label} (key ${key_id})` : `Key ${key_id}`} · {OPERATIONS[operation] ?? operation}
              {place} · request {request_id}
            </Text>
            <CopyButton text={request_id} label="Copy the request id" />
          </Group>
        </Stack>
        {maySync && isWhole && (
          <Link href="/try" state={{ text: jsonOf(record) }} asChild>
            <Button
              component="a"
              variant="default"
              size="xs"
              leftSection={<IconSend size={14} aria-hidden />}
              style={{ flexShrink: 0 }}
            >
              Try it
            </Button>
          </Link>
        )}
      </Group>
      <RecordView refusal={refusal} />
    </Stack>
  );
}
