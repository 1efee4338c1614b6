import { Checkbox, Stack } from '@mantine/core';
import { useState } from 'react';
import type { UndoRun } from '../../../api/undo-run';
import { Caution } from '../../../components/caution';
import type { Undone } from './undo-plan';

interface ForceChoiceProps {
  readonly undo: UndoRun;
  readonly undone: Undone;
  readonly isForced: boolean;
  readonly onChange: (isForced: boolean) => void;
}

/** Shown from the first conflict on. It stays while another preview counts anew, so that it keeps the focus. */
export function ForceChoice({ undo, undone, isForced, onChange }: ForceChoiceProps) {
  const [isShown, setShown] = useState(false);
  if (!isShown && (undo.progress?.conflicts ?? 0) > 0) setShown(true);
  if (!isShown) return null;
  return (
    <Stack gap="sm">
      <Checkbox
        label="Take back conflicts, too"
        description="Changing this prepares another preview."
        checked={isForced}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {isForced && (
        <Caution title="Later changes are overwritten">
          Fields get back their values before the {undone}, even if they were changed since. Accounts that the{' '}
          {undone} created are archived, even if they were changed since. Deleted accounts stay deleted.
        </Caution>
      )}
    </Stack>
  );
}
