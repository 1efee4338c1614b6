import { Modal } from '@mantine/core';
import { UndoDialog } from './undo-dialog';
import { titleOf, type UndoPlan } from './undo-plan';

interface UndoModalProps {
  /** Undefined before it opens first. */
  readonly plan: UndoPlan | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Called when the undo is complete, while the dialog shows the result. */
  readonly onUndone?: (() => void) | undefined;
}

/** The dialog that undoes a run, or one request of it. Rendered while it is closed, too: it returns the focus. */
export function UndoModal({ plan, isOpen, onClose, onUndone }: UndoModalProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={plan && titleOf(plan)} size="xl">
      {plan && <UndoDialog plan={plan} onClose={onClose} onUndone={onUndone} />}
    </Modal>
  );
}
