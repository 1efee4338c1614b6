import { Modal } from '@mantine/core';
import { useChangeWebhook } from '../../api/webhooks';
import { changesOf, draftOf } from '../webhooks/form/webhook-draft';
import { WebhookForm } from '../webhooks/form/webhook-form';
import type { DialogProps } from './dialogs';

export function EditWebhook({ webhook, onClose, onDone }: DialogProps) {
  const saving = useChangeWebhook(webhook.id);
  return (
    <Modal opened onClose={onClose} title="Edit webhook" size="xl">
      <WebhookForm
        first={draftOf(webhook)}
        action="Save"
        saving={saving}
        onSubmit={(settings) =>
          saving.mutate(changesOf(settings, webhook), { onSuccess: () => onDone('The webhook was changed.') })
        }
        onCancel={onClose}
      />
    </Modal>
  );
}
