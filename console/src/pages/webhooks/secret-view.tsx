import type { WebhookWithSecret } from '@account-sync/client';
import { Anchor, Code, Text } from '@mantine/core';
import { formatLocalShort } from '../../components/format';
import { ShownOnce } from '../../components/shown-once';

interface SecretViewProps {
  readonly webhook: WebhookWithSecret;
  readonly onStored: () => void;
}

/** Shows the secret of a new webhook, or a new secret, once. */
export function SecretView({ webhook: { secret, previous_secret_until }, onStored }: SecretViewProps) {
  return (
    <ShownOnce
      what="secret"
      value={secret}
      advice="Copy it now, and store it where the receiver reads it."
      onStored={onStored}
    >
      <Text size="sm">
        The receiver verifies with it that a message comes from this service:{' '}
        <Code>verifyWebhook(secret, headers, body)</Code> of <Code>@account-sync/client</Code>, or a library
        of the Standard Webhooks specification. The API reference describes webhooks:{' '}
        <Anchor href="/docs" target="_blank" inherit underline="always">
          /docs
        </Anchor>
        .
      </Text>
      {previous_secret_until !== null && (
        <Text size="sm">
          Until {formatLocalShort(previous_secret_until)}, messages are signed with the old secret, too.
        </Text>
      )}
    </ShownOnce>
  );
}
