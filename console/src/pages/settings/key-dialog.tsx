import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import type { IssuedKey, Key } from '../../api/keys';
import { CreateKey } from './create-key';
import { IssuedKeyView } from './issued-key-view';
import { nameOf } from './key-parts';
import { MoveKey } from './move-key';
import { RevokeKey } from './revoke-key';
import { RotateKey } from './rotate-key';

export type Dialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'move' | 'rotate' | 'revoke'; readonly key: Key }
  | { readonly kind: 'issued'; readonly issued: IssuedKey };

interface KeyDialogProps {
  readonly dialog: Dialog | undefined;
  readonly onDialog: (next: Dialog | undefined) => void;
  /** Receives a confirmation to show after the dialog is closed. */
  readonly onNote: (note: ReactNode) => void;
}

/**
 * One dialog for all actions on keys. It stays open from the form to the new key. The secret is stored only in the
 * state of this dialog, and is dropped when it closes.
 */
export function KeyDialog({ dialog, onDialog, onNote }: KeyDialogProps) {
  const isIssued = dialog?.kind === 'issued';
  const close = () => onDialog(undefined);
  const done = (note: ReactNode) => {
    close();
    onNote(note);
  };
  const onIssued = (issued: IssuedKey) => onDialog({ kind: 'issued', issued });
  return (
    <Modal
      opened={dialog !== undefined}
      onClose={close}
      title={dialog && titleOf(dialog)}
      size="lg"
      closeOnClickOutside={!isIssued}
      closeOnEscape={!isIssued}
      withCloseButton={!isIssued}
      transitionProps={{ exitDuration: 0 }}
    >
      {dialog?.kind === 'create' && <CreateKey onIssued={onIssued} onCancel={close} />}
      {dialog?.kind === 'move' && <MoveKey of={dialog.key} onMoved={done} onCancel={close} />}
      {dialog?.kind === 'rotate' && <RotateKey old={dialog.key} onIssued={onIssued} onCancel={close} />}
      {dialog?.kind === 'revoke' && <RevokeKey of={dialog.key} onRevoked={done} onCancel={close} />}
      {dialog?.kind === 'issued' && <IssuedKeyView issued={dialog.issued} onStored={done} />}
    </Modal>
  );
}

const VERBS = { move: 'Move', rotate: 'Rotate', revoke: 'Revoke' } as const;

function titleOf(dialog: Dialog): string {
  if (dialog.kind === 'create') return 'New key';
  if (dialog.kind === 'issued') return `New key: ${nameOf(dialog.issued)}`;
  return `${VERBS[dialog.kind]} ${nameOf(dialog.key)}`;
}
