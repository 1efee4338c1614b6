import type { UndoConflict, UndoSummary } from '@account-sync/client';
import { Text } from '@mantine/core';
import { plural } from '../../../components/format';
import { changesIn } from '../../../components/run-counts';
import { ConflictList } from './conflict-list';
import { UndoCounts } from './undo-counts';

interface UndoPreviewProps {
  readonly summary: UndoSummary;
  readonly conflicts: readonly UndoConflict[];
}

/** What an undo would do. */
export function UndoPreview({ summary, conflicts }: UndoPreviewProps) {
  const { changes } = summary;
  if (changes === 0) return <Text size="sm">This run has changed nothing that could be undone.</Text>;
  return (
    <>
      <Text size="sm">
        {changesIn(summary) === 0
          ? `None of the ${plural(changes, 'change')} would be taken back.`
          : `Nothing is stored yet. This is what becomes of the ${plural(changes, 'change')}:`}
      </Text>
      <UndoCounts summary={summary} />
      <Text size="xs" c="dimmed">
        Fields get back their values before the run. Accounts that the run created are archived, and come back
        as soon as a source sends them again.
      </Text>
      <ConflictList conflicts={conflicts} total={summary.conflicts}>
        What was changed or deleted since the run stays as it is.
      </ConflictList>
    </>
  );
}
