import type { HistoryEntry } from '@account-sync/client';
import { Button, Stack, Text, Timeline } from '@mantine/core';
import type { useHistory } from '../../api/account';
import { useAttributes } from '../../api/attributes';
import { useScopes } from '../../api/session';
import { EmptyState } from '../../components/empty-state';
import { QueryView } from '../../components/query-view';
import { SkeletonLines } from '../../components/skeleton-lines';
import { IconHistoryOff } from '../../icons/icons.js';
import { HistoryEntryView, iconOf } from './history-entry-view';
import { UndoRequest } from './undo-request';

interface HistoryListProps {
  readonly history: ReturnType<typeof useHistory>;
  readonly field?: string | undefined;
}

export function HistoryList({ history, field }: HistoryListProps) {
  const loading = <SkeletonLines lines={5} height={56} />;
  // Waits for the attribute types: values would change their format when the types arrive.
  if (useAttributes().isPending) return loading;
  return (
    <QueryView query={history} loading={loading}>
      {({ pages }) => {
        const entries = pages.flatMap(({ data }) => data);
        const isComplete = pages.at(-1)?.is_complete ?? true;
        return (
          <Stack aria-busy={history.isPlaceholderData}>
            {entries.length === 0 && !history.hasNextPage && isComplete && <NoChange />}
            {entries.length === 0 && history.hasNextPage && (
              <Text size="sm" c="dimmed">
                The latest changes do not include this field.
              </Text>
            )}
            <Timeline bulletSize={26} lineWidth={2} role="list">
              {entries.map((entry) => (
                <Timeline.Item
                  key={entry.revision}
                  bullet={iconOf(entry.kind)}
                  role="listitem"
                  lineVariant="solid"
                >
                  <HistoryEntryView entry={entry} field={field} actions={<UndoEntry entry={entry} />} />
                </Timeline.Item>
              ))}
            </Timeline>
            {history.hasNextPage && (
              <Button
                variant="default"
                loading={history.isFetchingNextPage}
                onClick={() => history.fetchNextPage()}
                style={{ alignSelf: 'flex-start' }}
              >
                Show older changes
              </Button>
            )}
            {!isComplete && !history.hasNextPage && <Removed isAll={entries.length === 0} />}
          </Stack>
        );
      }}
    </QueryView>
  );
}

/** Nothing for a change that cannot be undone: its values are deleted, or it belongs to no run. */
function UndoEntry({ entry }: { entry: HistoryEntry }) {
  const { maySync } = useScopes();
  const { kind, is_erased, run_id: runId, request_id: requestId, revision } = entry;
  if (!maySync || kind === 'deleted' || is_erased || runId === null) return null;
  return <UndoRequest runId={runId} requestId={requestId} label={`Undo… revision ${revision}`} />;
}

function Removed({ isAll }: { isAll: boolean }) {
  return (
    <Text size="sm" c="dimmed">
      {isAll && 'No change of this field is stored any more. '}Older changes of this account were removed,
      because the tenant limits how long its history is kept.
    </Text>
  );
}

function NoChange() {
  return (
    <EmptyState icon={IconHistoryOff} title="This field has never changed">
      No system has sent a value for it.
    </EmptyState>
  );
}
