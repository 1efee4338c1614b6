import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Rejection } from '../../api/rejections';
import { useScopes } from '../../api/session';
import { AccountLink } from '../../components/account-link';
import { CopyButton } from '../../components/copy-button';
import { formatLocal, formatNumber } from '../../components/format';
import { SenderName } from '../../components/sender-name';
import { SourceAndRun } from '../../components/source-and-run';
import { Timestamp } from '../../components/timestamp';
import { IconSend } from '../../icons/icons.js';
import { OPERATIONS } from './operations';
import { beginningOf, isObject, jsonOf } from './record-lines';
import { RecordView } from './record-view';

/** One rejected record: its time, key and request, and its content. */
export function RejectionCard({ rejection }: { rejection: Rejection }) {
  const { at, source, run_id, request_id, operation, index, account_id, record } = rejection;
  const { maySync } = useScopes();
  const isWhole = isObject(record) && beginningOf(record) === undefined;
  const position = index === null ? '' : `, record ${formatNumber(index + 1)}`;
  return (
    <Stack component="li" gap={6} aria-label={`Rejection at ${formatLocal(at)}`}>
      <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
        <Stack gap={0} miw={0}>
          <Group gap="0 8px" fz="sm">
            <Text size="sm" fw={600} className="numbers">
              {formatLocal(at)}
            </Text>
            <Text size="sm" c="dimmed">
              <Timestamp at={at} />
            </Text>
            {account_id && <AccountLink id={account_id} />}
          </Group>
          <Group gap={4} wrap="nowrap">
            <Text size="xs" c="dimmed" className="breakable">
              <SourceAndRun source={source} runId={run_id} />
              {(source !== null || run_id !== null) && ' · '}
              <SenderName of={rejection} isFirst /> · {OPERATIONS[operation] ?? operation}
              {position} · request {request_id}
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
      <RecordView rejection={rejection} />
    </Stack>
  );
}
