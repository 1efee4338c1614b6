import type { ReactNode } from 'react';
import type { IssuedKey, Key } from '../../api/keys';
import { SecretModal } from '../../components/secret-modal';
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
  readonly onDialog: (next: Dialog) => void;
  readonly onClose: () => void;
  /** Closes the dialog, and receives a confirmation to show. */
  readonly onDone: (note: ReactNode) => void;
}

/**
 * One dialog for all actions on keys. It stays open from the form to the new key. The secret is stored only in the
 * state of this dialog, and is dropped when it closes.
 */
export function KeyDialog({ dialog, onDialog, onClose, onDone }: KeyDialogProps) {
  const onIssued = (issued: IssuedKey) => onDialog({ kind: 'issued', issued });
  return (
    <SecretModal title={dialog && titleOf(dialog)} isSecret={dialog?.kind === 'issued'} onClose={onClose}>
      {dialog?.kind === 'create' && <CreateKey onIssued={onIssued} onCancel={onClose} />}
      {dialog?.kind === 'move' && <MoveKey of={dialog.key} onMoved={onDone} onCancel={onClose} />}
      {dialog?.kind === 'rotate' && <RotateKey old={dialog.key} onIssued={onIssued} onCancel={onClose} />}
      {dialog?.kind === 'revoke' && <RevokeKey of={dialog.key} onRevoked={onDone} onCancel={onClose} />}
      {dialog?.kind === 'issued' && <IssuedKeyView issued={dialog.issued} onStored={onDone} />}
    </SecretModal>
  );
}

const VERBS = { move: 'Move', rotate: 'Rotate', revoke: 'Revoke' } as const;

function titleOf(dialog: Dialog): string {
  if (dialog.kind === 'create') return 'New key';
  if (dialog.kind === 'issued') return `New key: ${nameOf(dialog.issued)}`;
  return `${VERBS[dialog.kind]} ${nameOf(dialog.key)}`;
}
