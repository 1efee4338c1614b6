import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { UndoModal } from '../run/undo/undo-modal';

interface UndoRequestProps {
  readonly runId: string;
  readonly requestId: string;
  /** For screen readers, if a page has several of these buttons. */
  readonly label?: string;
  /** Called when the dialog is closed after a complete undo. */
  readonly onUndone?: () => void;
}

/** Opens the dialog that undoes one request. It works while the run of the request is still open, too. */
export function UndoRequest({ runId, requestId, label, onUndone }: UndoRequestProps) {
  const [isOpen, dialog] = useDisclosure();
  const [isUndone, setUndone] = useState(false);
  const close = () => {
    dialog.close();
    if (isUndone) onUndone?.();
  };
  return (
    <>
      <Button variant="default" size="compact-xs" aria-label={label} onClick={dialog.open}>
        Undo…
      </Button>
      <UndoModal
        plan={{ runId, requestId, force: false, interrupted: null }}
        isOpen={isOpen}
        onClose={close}
        onUndone={() => setUndone(true)}
      />
    </>
  );
}
