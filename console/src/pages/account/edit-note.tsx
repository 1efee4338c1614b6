import type { EditResult } from '@account-sync/client';
import { Group } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { EditOutcome } from '../../api/edit-account';
import { UndoRequest } from './undo-request';

const OUTCOMES: Readonly<Record<EditResult['outcome'], string>> = {
  updated: 'Saved.',
  archived: 'Archived.',
  restored: 'Restored.',
  unchanged: 'Nothing was changed.',
  skipped: 'Nothing was changed.',
};

/** Confirms an edit, and offers to undo it. */
export function EditNote({ outcome: { outcome, run_id: runId, requestId } }: { outcome: EditOutcome }) {
  const [isUndone, setUndone] = useState(false);
  if (isUndone) return <UndoneText />;
  const isChanged = outcome !== 'unchanged' && outcome !== 'skipped';
  return (
    <Group gap="xs">
      {OUTCOMES[outcome]}
      {isChanged && runId !== null && requestId !== null && (
        <UndoRequest runId={runId} requestId={requestId} onUndone={() => setUndone(true)} />
      )}
    </Group>
  );
}

/** Receives the focus, because the button that led to it is gone. */
function UndoneText() {
  const text = useRef<HTMLSpanElement>(null);
  useEffect(() => text.current?.focus(), []);
  return (
    <span ref={text} tabIndex={-1} style={{ outline: 'none' }}>
      The change is undone.
    </span>
  );
}
