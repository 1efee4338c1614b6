import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useLocation } from 'wouter';
import { useRemoveWebhook } from '../../api/webhooks';
import { ErrorState } from '../../components/error-state';
import { showNotice } from '../../components/notice';
import { nameOf } from '../webhooks/webhook-parts';
import type { DialogProps } from './dialogs';

export function RemoveWebhook({ webhook, onClose }: DialogProps) {
  const [, navigate] = useLocation();
  const removal = useRemoveWebhook(webhook.id, () => {
    navigate('/webhooks');
    showNotice(`${nameOf(webhook)} was removed.`);
  });
  return (
    <Modal opened onClose={onClose} title="Remove this webhook?">
      <Stack gap="sm">
        <Text size="sm" className="breakable">
          <b>{nameOf(webhook)}</b> gets no more events, and its deliveries are deleted. This cannot be undone:
          a new webhook has another secret, and starts with the events after its creation.
        </Text>
        {removal.error !== null && <ErrorState error={removal.error} />}
        <Group gap="sm" justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red.9" loading={removal.isPending} onClick={() => removal.mutate()}>
            Remove webhook
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
