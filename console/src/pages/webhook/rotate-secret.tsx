import type { WebhookWithSecret } from '@account-sync/client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRotateSecret } from '../../api/webhooks';
import { ErrorState } from '../../components/error-state';
import { SecretModal } from '../../components/secret-modal';
import { useNow } from '../../components/use-now';
import { SecretView } from '../webhooks/secret-view';
import type { DialogProps } from './dialogs';

/** Stays open until the new secret is stored, which is only in its state. */
export function RotateSecret({ webhook, onClose, onDone }: DialogProps) {
  const [rotated, setRotated] = useState<WebhookWithSecret>();
  const rotation = useRotateSecret(webhook.id, setRotated);
  const now = useNow();
  const hasOld = Date.parse(webhook.previous_secret_until ?? '') > now;
  const isRotated = rotated !== undefined;
  return (
    <SecretModal
      title={isRotated ? 'The new secret' : 'Rotate the secret?'}
      isSecret={isRotated}
      onClose={onClose}
    >
      {isRotated ? (
        <SecretView webhook={rotated} onStored={() => onDone('The secret was rotated.')} />
      ) : (
        <Stack>
          <Text size="sm">
            A new secret is created and shown once. For 24 hours messages are signed with both, so the
            receiver can change to the new one at any time until then.
            {hasOld && ' The old secret that is still valid now stops working at once.'}
          </Text>
          {rotation.error && <ErrorState error={rotation.error} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} data-autofocus>
              Cancel
            </Button>
            <Button loading={rotation.isPending} onClick={() => rotation.mutate()}>
              Rotate secret
            </Button>
          </Group>
        </Stack>
      )}
    </SecretModal>
  );
}
