import { Progress, Stack, Text } from '@mantine/core';
import type { UndoRun } from '../../../api/undo-run';
import { formatNumber, plural } from '../../../components/format';

export function UndoProgress({ undo: { request, progress } }: { undo: UndoRun }) {
  const isDryRun = request?.isDryRun ?? true;
  const { examined, changes } = progress ?? { examined: 0, changes: 0 };
  return (
    <Stack gap={6}>
      <Text size="sm" className="numbers">
        {isDryRun ? 'Preparing the preview' : 'Undoing'}
        {progress !== undefined &&
          `: ${formatNumber(examined)} of ${plural(changes, 'change')} examined, ${plural(progress.conflicts, 'conflict')}`}
      </Text>
      <Progress
        value={(examined / Math.max(changes, 1)) * 100}
        size="sm"
        aria-label={isDryRun ? 'Progress of the preview' : 'Progress of the undo'}
      />
      {!isDryRun && (
        <Text size="xs" c="dimmed">
          If you close this dialog, the undo stops. It can be continued later.
        </Text>
      )}
    </Stack>
  );
}
