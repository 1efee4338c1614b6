import type { RunDetails } from '@account-sync/client';
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId, useState } from 'react';
import { useRun } from '../../../api/runs';
import { IconArrowBackUp } from '../../../icons/icons.js';
import { UndoModal } from './undo-modal';
import { planUndo, type UndoPlan } from './undo-plan';

/** Opens the dialog that undoes the run, or continues an undo that was interrupted. */
export function UndoButton({ run }: { run: RunDetails }) {
  const { data: undoneBy } = useRun(run.undone_by);
  const [isOpen, dialog] = useDisclosure();
  // Fixed while the dialog is open: the undo that it begins is open, too, and would be offered to be continued.
  const [opened, setOpened] = useState<UndoPlan>();
  const reasonId = useId();
  const plan = planUndo(run, undoneBy);
  const isPossible = !('reason' in plan);
  const open = () => {
    if (!isPossible) return;
    setOpened(plan);
    dialog.open();
  };
  return (
    <Group gap="xs">
      {!isPossible && (
        <Text id={reasonId} size="xs" c="dimmed">
          {plan.reason}
        </Text>
      )}
      <Button
        variant="default"
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        disabled={!isPossible}
        aria-describedby={isPossible ? undefined : reasonId}
        onClick={open}
      >
        {isPossible && plan.interrupted !== null ? 'Continue undo' : 'Undo'}
      </Button>
      <UndoModal plan={opened} isOpen={isOpen} onClose={dialog.close} />
    </Group>
  );
}
