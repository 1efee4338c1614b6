import type { Account } from '@account-sync/client';
import { List, Modal } from '@mantine/core';
import { useState } from 'react';
import { type EditOutcome, isRevisionChanged, useEditAccount } from '../../api/edit-account';
import { Confirm } from '../../components/confirm';
import { useReturnFocus } from '../../components/use-return-focus';

interface ArchiveDialogProps {
  readonly account: Account;
  readonly onClose: () => void;
  readonly onSaved: (outcome: EditOutcome) => void;
}

/** Archives the account, or restores an archived one, as it was shown when the dialog opened. */
export function ArchiveDialog({ account, onClose, onSaved }: ArchiveDialogProps) {
  useReturnFocus();
  const [{ account_id: id, name, revision, archived_at }] = useState(account);
  const change = useEditAccount(id);
  const isArchived = archived_at !== null;
  const error = isRevisionChanged(change.error)
    ? new Error('The account was changed meanwhile. Close this dialog, look at the account, and try again.')
    : change.error;
  return (
    <Modal opened onClose={onClose} title={isArchived ? 'Restore this account?' : 'Archive this account?'}>
      <Confirm
        action={isArchived ? 'Restore' : 'Archive'}
        change={{ error, isPending: change.isPending }}
        onConfirm={() => change.mutate({ edit: { archived: !isArchived }, revision }, { onSuccess: onSaved })}
        onCancel={onClose}
      >
        <List size="sm" spacing={4}>
          {isArchived ? (
            <List.Item>{name ?? id} is in lists again, with all its values.</List.Item>
          ) : (
            <>
              <List.Item>
                {name ?? id} is left out of lists, unless a filter shows archived accounts.
              </List.Item>
              <List.Item>It keeps its values and its history.</List.Item>
              <List.Item>It is restored when a source sends it again, or by Restore on this page.</List.Item>
            </>
          )}
        </List>
      </Confirm>
    </Modal>
  );
}
