import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { UndoRun } from '../../../api/undo-run';

interface ForceChoiceProps {
  readonly undo: UndoRun;
  readonly isForced: boolean;
  readonly onChange: (isForced: boolean) => void;
}

/** Shown from the first conflict on. It stays while another preview counts anew, so that it keeps the focus. */
export function ForceChoice({ undo, isForced, onChange }: ForceChoiceProps) {
  const [isShown, setShown] = useState(false);
  if (!isShown && (undo.progress?.conflicts ?? 0) > 0) setShown(true);
  if (!isShown) return null;
  return (
    <Checkbox
      label="Take back conflicts, too"
      description="Overwrites what other requests have stored since the run, with the values before the run. Accounts that the run created are archived even if they were changed since. Deleted accounts stay deleted."
      checked={isForced}
      onChange={(event) => onChange(event.currentTarget.checked)}
      color="orange.9"
    />
  );
}
