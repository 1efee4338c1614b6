import type { Webhook } from '@account-sync/client';
import { Box, Stack } from '@mantine/core';
import { ApiError } from '../../api/call';
import { useWebhook } from '../../api/webhooks';
import { ErrorState } from '../../components/error-state';
import { PageHead } from '../../components/page-head';
import { SavedNote } from '../../components/saved-note';
import { SkeletonLines } from '../../components/skeleton-lines';
import { useDialog } from '../../components/use-dialog';
import { useRawPathSegment } from '../../components/use-url';
import { DeliveriesPanel } from './deliveries-panel';
import type { Dialog } from './dialogs';
import { NoWebhook } from './no-webhook';
import { SettingsPanel } from './settings-panel';
import { StoppedAlert } from './stopped-alert';
import { TestPanel } from './test-panel';
import { WebhookDialog } from './webhook-dialog';
import { WebhookHead } from './webhook-head';

/** Page of one webhook. */
export default function WebhookPage() {
  const id = useRawPathSegment('webhooks');
  return <OneWebhook key={id} id={id} />;
}

function OneWebhook({ id }: { id: string }) {
  const { data: webhook, error, isError, refetch } = useWebhook(id);
  if (webhook !== undefined) return <Found webhook={webhook} />;
  if (error instanceof ApiError && error.status === 404) return <NoWebhook id={id} />;
  return (
    <>
      <PageHead title={`Webhook ${id}`} />
      {isError ? (
        <ErrorState error={error} retry={() => refetch()} />
      ) : (
        <SkeletonLines lines={9} height={44} />
      )}
    </>
  );
}

function Found({ webhook }: { webhook: Webhook }) {
  const { dialog, note, setNote, open, close, done } = useDialog<Dialog>();
  return (
    <>
      <WebhookHead webhook={webhook} onDialog={open} onNote={setNote} />
      <Box mb={note === undefined ? 0 : 'md'}>
        <SavedNote>{note}</SavedNote>
      </Box>
      <StoppedAlert webhook={webhook} />
      <Stack gap="md">
        <TestPanel id={webhook.id} />
        <DeliveriesPanel webhook={webhook} />
        <SettingsPanel webhook={webhook} onDialog={open} />
      </Stack>
      <WebhookDialog webhook={webhook} dialog={dialog} onClose={close} onDone={done} />
    </>
  );
}
