import type { ImportResult, StoredResult } from '@account-sync/client';
import { Alert, Badge, Group, List, Stack, Text } from '@mantine/core';
import { AccountLink } from '../../components/account-link';
import { plural } from '../../components/format';
import { IconAlertTriangle, IconCircleCheck } from '../../icons/icons.js';
import type { Outcome } from './send-records';

/** A longer list would be hard to read. The raw response contains all results. */
const MAX_SHOWN = 200;

export function OutcomeView({ outcome: { summary, results, isDryRun } }: { outcome: Outcome }) {
  const isGood = summary.failed === 0 && summary.is_complete;
  const Icon = isGood ? IconCircleCheck : IconAlertTriangle;
  return (
    <Stack gap="sm">
      <Alert
        color={isGood ? 'teal' : 'orange'}
        variant="light"
        icon={<Icon aria-hidden />}
        title={isDryRun ? 'Validated, nothing was stored' : 'Sent'}
      >
        <Text size="sm">{sentence(summary, isDryRun)}</Text>
        {summary.problem !== null && <Text size="sm">{summary.problem}</Text>}
      </Alert>
      <List listStyleType="none" spacing="sm" aria-label="Results">
        {results.slice(0, MAX_SHOWN).map((result) => (
          <List.Item key={result.index}>
            <Result result={result} hasPage={!isDryRun} />
          </List.Item>
        ))}
      </List>
      {results.length > MAX_SHOWN && (
        <Text size="sm" c="dimmed">
          {plural(results.length - MAX_SHOWN, 'more result')} not shown. See the raw response.
        </Text>
      )}
    </Stack>
  );
}

function sentence(summary: Outcome['summary'], isDryRun: boolean): string {
  const { created, updated, unchanged, skipped, failed, kept } = summary;
  const would = isDryRun ? 'would be ' : '';
  const parts = [
    created > 0 && `${created} ${would}created`,
    updated > 0 && `${updated} ${would}updated`,
    unchanged > 0 && `${unchanged} unchanged`,
    skipped > 0 && `${skipped} ${would}skipped`,
    failed > 0 && `${failed} ${would}rejected`,
  ].filter((part) => part !== false);
  const keeps = kept === 1 ? 'keeps its stored value' : 'keep their stored values';
  const keptText = kept > 0 ? ` ${plural(kept, 'field')} that another source owns ${keeps}.` : '';
  return `${parts.join(', ') || 'No records'}.${keptText}`;
}

const COLOURS = {
  created: 'teal',
  updated: 'pine',
  unchanged: 'gray',
  skipped: 'gray',
  failed: 'red',
} as const;

function Result({ result, hasPage }: { result: ImportResult; hasPage: boolean }) {
  const { index, account_id: id, status } = result;
  const isLinked = hasPage && status !== 'failed' && status !== 'skipped';
  return (
    <Stack gap={2}>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" c="dimmed" className="numbers">
          {index + 1}.
        </Text>
        <Badge
          color={COLOURS[status]}
          miw={104}
          styles={{ root: { flexShrink: 0 }, label: { textAlign: 'start' } }}
        >
          {status === 'failed' ? 'rejected' : status}
        </Badge>
        <Text size="sm" fw={600} className="breakable">
          {id === null ? 'No account id' : isLinked ? <AccountLink id={id} /> : id}
        </Text>
      </Group>
      {status === 'failed' ? (
        messagesOf(result).map((message) => (
          <Text key={message} size="sm" c="var(--mantine-color-error)" className="breakable" pl="xl">
            {message}
          </Text>
        ))
      ) : (
        <Text size="xs" c="dimmed" pl="xl" className="breakable">
          {changeText(result)}
        </Text>
      )}
    </Stack>
  );
}

function changeText({ status, changed, kept = [] }: StoredResult): string {
  if (status === 'skipped') return 'Skipped: it does not fit the mode';
  if (kept.length === 0 && changed.length === 0) return 'No change: the stored values are the same';
  const parts = [
    changed.length > 0 && `Changed fields: ${changed.join(', ')}`,
    kept.length > 0 && `Kept fields, because another source owns them: ${kept.join(', ')}`,
  ];
  return parts.filter((part) => part !== false).join('. ');
}

function messagesOf(result: Extract<ImportResult, { status: 'failed' }>): readonly string[] {
  return result.problem === undefined ? Object.values(result.errors ?? {}).flat() : [result.problem];
}
