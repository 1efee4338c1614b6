import type { UndoConflict, UndoSummary } from '@account-sync/client';
import { Text } from '@mantine/core';
import { plural } from '../../../components/format';
import { changesIn } from '../../../components/run-counts';
import { ConflictList } from './conflict-list';
import { UndoCounts } from './undo-counts';
import type { Undone } from './undo-plan';

interface UndoPreviewProps {
  readonly summary: UndoSummary;
  readonly conflicts: readonly UndoConflict[];
  readonly undone: Undone;
}

/** What an undo would do. */
export function UndoPreview({ summary, conflicts, undone }: UndoPreviewProps) {
  const { changes } = summary;
  if (changes === 0) return <Text size="sm">This {undone} has changed nothing that could be undone.</Text>;
  return (
    <>
      <Text size="sm">
        {changesIn(summary) === 0
          ? `None of the ${plural(changes, 'change')} would be taken back.`
          : `Nothing is stored yet. ${effectText(summary, undone)}`}
      </Text>
      <UndoCounts summary={summary} />
      <Text size="xs" c="dimmed">
        Fields get back their values before the {undone}, also in accounts that are archived or restored.
        Accounts that the {undone} created are archived, and come back as soon as a source sends them again.
      </Text>
      <ConflictList conflicts={conflicts} total={summary.conflicts} undone={undone}>
        What was changed or deleted since the {undone} stays as it is.
      </ConflictList>
    </>
  );
}

/** The undo of a request is opened at one account, so it says that the request may have changed others. */
function effectText(summary: UndoSummary, undone: Undone): string {
  const accounts = plural(changesIn(summary), 'account');
  const changes = plural(summary.changes, 'change');
  if (undone === 'run') return `This is what becomes of the ${changes}:`;
  return `The undo takes back the whole request (${changes}), and changes ${accounts}:`;
}
