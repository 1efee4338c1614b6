import type { Webhook } from '@account-sync/client';
import { Alert, Button, Text } from '@mantine/core';
import { useChangeWebhook } from '../../api/webhooks';
import { plural } from '../../components/format';
import { Timestamp } from '../../components/timestamp';
import { IconAlertTriangle, IconPlayerPause } from '../../icons/icons.js';
import { isFailing, NextAttempt } from '../webhooks/webhook-parts';

/** Why the webhook delivers nothing at the moment, and what to do. Nothing if it does. */
export function StoppedAlert({ webhook }: { webhook: Webhook }) {
  return (
    <div role="status">
      {isFailing(webhook) ? <Failing webhook={webhook} /> : <Stopped webhook={webhook} />}
    </div>
  );
}

function Failing({ webhook }: { webhook: Webhook }) {
  const { id, failures, failing_since, last_error } = webhook;
  const retry = useChangeWebhook(id);
  return (
    <Alert
      role="none"
      mb="md"
      color="orange"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={
        <>
          Failing{' '}
          {failing_since !== null && (
            <>
              since <Timestamp at={failing_since} />
            </>
          )}
        </>
      }
    >
      <Text size="sm" className="breakable">
        The receiver has not taken the current message in {plural(failures, 'attempt')}. {last_error} The next
        attempt is <NextAttempt webhook={webhook} />. Later events wait until then, and nothing is lost. After
        three days without success, the webhook is paused.
      </Text>
      <Button
        size="xs"
        variant="default"
        mt="xs"
        loading={retry.isPending}
        onClick={() => retry.mutate({ state: 'active' })}
      >
        Try again now
      </Button>
      {retry.isError && (
        <Text size="sm" mt="xs" role="alert">
          {retry.error.message}
        </Text>
      )}
    </Alert>
  );
}

function Stopped({ webhook: { state, reason } }: { webhook: Webhook }) {
  if (state === 'active') return null;
  return (
    <Alert
      role="none"
      mb="md"
      color={reason === null ? 'gray' : 'orange'}
      variant="light"
      icon={reason === null ? <IconPlayerPause aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={state === 'paused' ? 'Paused' : 'Disabled'}
    >
      <Text size="sm" className="breakable">
        {reason} No events are sent. After a resume, the webhook continues where it was; changes that are not
        kept until then are missing.
      </Text>
    </Alert>
  );
}
