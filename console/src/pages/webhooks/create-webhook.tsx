import type { WebhookWithSecret } from '@account-sync/client';
import { useState } from 'react';
import { useCreateWebhook } from '../../api/webhooks';
import { SecretModal } from '../../components/secret-modal';
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
    <SecretModal
      title={isCreated ? 'Secret of the new webhook' : 'New webhook'}
      isSecret={isCreated}
      size="xl"
      onClose={onClose}
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
    </SecretModal>
  );
}
