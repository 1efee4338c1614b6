import type { WebhookWithSecret } from '@account-sync/client';
import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useCreateWebhook } from '../../api/webhooks';
import { NEW_WEBHOOK } from './form/webhook-draft';
import { WebhookForm } from './form/webhook-form';
import { SecretView } from './secret-view';

interface CreateWebhookProps {
  readonly onClose: () => void;
  readonly onDone: (id: string) => void;
}

/** Stays open from the form to the secret, which is stored only in its state. */
export function CreateWebhook({ onClose, onDone }: CreateWebhookProps) {
  const [created, setCreated] = useState<WebhookWithSecret>();
  const creation = useCreateWebhook(setCreated);
  const isCreated = created !== undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={isCreated ? 'Secret of the new webhook' : 'New webhook'}
      size="xl"
      closeOnClickOutside={!isCreated}
      closeOnEscape={!isCreated}
      withCloseButton={!isCreated}
    >
      {isCreated ? (
        <SecretView webhook={created} onStored={() => onDone(created.id)} />
      ) : (
        <WebhookForm
          first={NEW_WEBHOOK}
          action="Create webhook"
          saving={creation}
          onSubmit={creation.mutate}
          onCancel={onClose}
        />
      )}
    </Modal>
  );
}
