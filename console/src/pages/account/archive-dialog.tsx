import type { Account } from '@account-sync/client';
import { List, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type EditOutcome, isRevisionChanged, useEditAccount } from '../../api/edit-account';
import { Confirm } from '../../components/confirm';
import { useReturnFocus } from '../../components/use-return-focus';

interface ArchiveDialogProps {
  readonly account: Account;
  readonly onClose: () => void;
  readonly onSaved: (outcome: EditOutcome) => void;
}

/**
 * Archives the account, or restores an archived one, as it was shown when the dialog opened. If it was changed since, the
 * dialog says so, and the next try is for the account as it is now.
 */
export function ArchiveDialog({ account, onClose, onSaved }: ArchiveDialogProps) {
  useReturnFocus();
  const [{ account_id: id, name, revision, archived_at }] = useState(account);
  const change = useEditAccount(id);
  const isArchived = archived_at !== null;
  const verb = isArchived ? 'restore' : 'archive';
  const action = isArchived ? 'Restore' : 'Archive';
  const wasChanged = isRevisionChanged(change.error);
  // The page reads the account again after such an error.
  const isReading = wasChanged && account.revision === change.variables?.revision;
  const send = () => {
    const seen = wasChanged ? account.revision : revision;
    change.mutate({ edit: { archived: !isArchived }, revision: seen }, { onSuccess: onSaved });
  };
  return (
    <Modal opened onClose={onClose} title={isArchived ? 'Restore this account?' : 'Archive this account?'}>
      <Confirm
        action={action}
        change={{ error: wasChanged ? null : change.error, isPending: change.isPending || isReading }}
        onConfirm={send}
        onCancel={onClose}
      >
        <Stack gap="sm">
          <List size="sm" spacing={4}>
            {isArchived ? (
              <List.Item>{name ?? id} is in lists again, with all its values.</List.Item>
            ) : (
              <>
                <List.Item>
                  {name ?? id} is left out of lists, unless a filter shows archived accounts.
                </List.Item>
                <List.Item>It keeps its values and its history.</List.Item>
                <List.Item>
                  It is restored when a source sends it again, or by Restore on this page.
                </List.Item>
              </>
            )}
          </List>
          <Text size="sm" role="status">
            {wasChanged &&
              `The account was changed meanwhile, and is not ${verb}d yet. Choose ${action} again to ${verb} it as it is now.`}
          </Text>
        </Stack>
      </Confirm>
    </Modal>
  );
}
