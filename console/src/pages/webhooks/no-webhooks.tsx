import { Button } from '@mantine/core';
import { EmptyState } from '../../components/empty-state';
import { IconWebhook } from '../../icons/icons.js';

/** Explains what a webhook is. */
export function NoWebhooks({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      icon={IconWebhook}
      title="No webhooks yet"
      action={<Button onClick={onCreate}>Create the first webhook</Button>}
    >
      A webhook sends events to a URL as they happen: changed accounts, finished runs, late sources. Messages
      are signed, come in order, and are sent again until the receiver has taken them. You need the URL of a
      system that accepts POST requests.
    </EmptyState>
  );
}
