import { Button, Stack, Text, Timeline } from '@mantine/core';
import { IconHistoryOff } from '@tabler/icons-react';
import type { useHistory } from '../../api/account';
import { useAttributes } from '../../api/attributes';
import { EmptyState } from '../../parts/empty-state';
import { LinesLoading } from '../../parts/lines-loading';
import { QueryView } from '../../parts/query-view';
import { HistoryEntryView, iconOf } from './history-entry';

interface HistoryListProps {
  readonly history: ReturnType<typeof useHistory>;
  readonly field?: string | undefined;
}

export function HistoryList({ history, field }: HistoryListProps) {
  const loading = <LinesLoading lines={5} height={56} />;
  // Values look different once their types are known.
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
                No change of this field among the latest ones.
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
                  <HistoryEntryView entry={entry} field={field} />
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

/** The tenant keeps its history for some days only. */
function Removed({ isAll }: { isAll: boolean }) {
  return (
    <Text size="sm" c="dimmed">
      {isAll ? 'No change of this field is left: older' : 'Older'} changes of this account were removed. The
      tenant keeps its history for some days only.
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
