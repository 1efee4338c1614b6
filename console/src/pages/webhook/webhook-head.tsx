import type { Webhook } from '@account-sync/client';
import { Anchor, Box, Button, Group } from '@mantine/core';
import { Link } from 'wouter';
import { useChangeWebhook } from '../../api/webhooks';
import { ErrorState } from '../../components/error-state';
import { PageHead } from '../../components/page-head';
import { Timestamp } from '../../components/timestamp';
import { IconPlayerPause, IconPlayerPlay, IconReload, IconTrash } from '../../icons/icons.js';
import { nameOf, StateBadge } from '../webhooks/webhook-parts';
import type { Dialog } from './dialogs';

interface WebhookHeadProps {
  readonly webhook: Webhook;
  readonly onDialog: (dialog: Dialog) => void;
  /** Receives a confirmation. */
  readonly onNote: (note: string | undefined) => void;
}

export function WebhookHead({ webhook, onDialog, onNote }: WebhookHeadProps) {
  const { id, url, description, delivered_at, has_all } = webhook;
  const change = useChangeWebhook(id);
  const isActive = webhook.state === 'active';
  const toggle = () => {
    onNote(undefined);
    change.mutate(
      { state: isActive ? 'paused' : 'active' },
      { onSuccess: ({ state }) => onNote(`The webhook was ${state === 'paused' ? 'paused' : 'resumed'}.`) },
    );
  };
  const ToggleIcon = isActive ? IconPlayerPause : IconPlayerPlay;
  return (
    <>
      <PageHead
        title={nameOf(webhook)}
        description={
          <Group gap="2px 16px">
            <StateBadge webhook={webhook} />
            <Anchor component={Link} href="/webhooks" inherit>
              All webhooks
            </Anchor>
            {description !== '' && <span className="breakable">{url}</span>}
            <span>
              {delivered_at === null ? (
                'No event delivered so far'
              ) : (
                <>
                  Last delivered <Timestamp at={delivered_at} />
                </>
              )}
            </span>
            <span>{has_all ? 'Has all events' : 'Events are waiting'}</span>
          </Group>
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<ToggleIcon size={16} aria-hidden />}
              loading={change.isPending}
              onClick={toggle}
            >
              {isActive ? 'Pause' : 'Resume'}
            </Button>
            <Button
              variant="default"
              leftSection={<IconReload size={16} aria-hidden />}
              onClick={() => onDialog('replay')}
            >
              Replay
            </Button>
            <Button
              variant="default"
              c="var(--mantine-color-error)"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => onDialog('remove')}
            >
              Remove
            </Button>
          </>
        }
      />
      {change.isError && (
        <Box mb="md">
          <ErrorState error={change.error} />
        </Box>
      )}
    </>
  );
}
