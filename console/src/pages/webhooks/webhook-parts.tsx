import type { Webhook } from '@account-sync/client';
import { Anchor, Badge, Text } from '@mantine/core';
import { Link } from 'wouter';
import { encodePathSegment } from '../../api/call';
import { Timestamp } from '../../components/timestamp';
import { useNow } from '../../components/use-now';

/** Its description, or its URL without one. */
export function nameOf({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description === '' ? url : description;
}

export function WebhookName({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <Text size="sm" fw={600}>
        <Anchor
          component={Link}
          href={`/webhooks/${encodePathSegment(webhook.id)}`}
          inherit
          className="breakable"
        >
          {nameOf(webhook)}
        </Anchor>
      </Text>
      {webhook.description !== '' && (
        <Text size="xs" c="dimmed" className="breakable">
          {webhook.url}
        </Text>
      )}
    </>
  );
}

export function isFailing({ state, failures }: Webhook): boolean {
  return state === 'active' && failures > 0;
}

/** Red: it needs attention. Grey: an administrator has paused it. */
export function StateBadge({ webhook }: { webhook: Webhook }) {
  const [label, colour] = badgeOf(webhook);
  return (
    <Badge color={colour} size="sm" miw="max-content">
      {label}
    </Badge>
  );
}

function badgeOf(webhook: Webhook): [label: string, colour: string] {
  if (isFailing(webhook)) return ['Failing', 'red'];
  if (webhook.state === 'active') return ['Active', 'teal'];
  if (webhook.state === 'disabled') return ['Disabled', 'red'];
  return ['Paused', webhook.reason === null ? 'gray' : 'red'];
}

/** Why it is failing or has stopped, and since when; nothing if all is well. */
export function StateNote({ webhook }: { webhook: Webhook }) {
  const { reason, failing_since, last_error } = webhook;
  const text = isFailing(webhook) ? last_error : reason;
  if (text === null) return null;
  return (
    <Text size="xs" className="breakable">
      {isFailing(webhook) && failing_since !== null && (
        <>
          since <Timestamp at={failing_since} />:{' '}
        </>
      )}
      {text}
    </Text>
  );
}

/** When it last took a message, and whether events are waiting. */
export function LastDelivery({ webhook: { delivered_at, has_all } }: { webhook: Webhook }) {
  return (
    <>
      {delivered_at === null ? 'Never' : <Timestamp at={delivered_at} />}
      <Text size="xs" c="dimmed">
        {has_all ? 'Has all events' : 'Events are waiting'}
      </Text>
    </>
  );
}

/** When the message that failed is sent again. */
export function NextAttempt({ webhook }: { webhook: Webhook }) {
  const now = useNow();
  const { retry_at } = webhook;
  if (!isFailing(webhook) || retry_at === null) return '–';
  // Relative times are to the minute, and would call the next seconds “just now”.
  return Date.parse(retry_at) - now < 60_000 ? 'in a moment' : <Timestamp at={retry_at} />;
}
