import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { EmptyState } from '../../components/empty-state';
import { PageHead } from '../../components/page-head';
import { IconWebhookOff } from '../../icons/icons.js';

export function NoWebhook({ id }: { id: string }) {
  return (
    <>
      <PageHead title={`Webhook ${id}`} />
      <EmptyState
        icon={IconWebhookOff}
        title="This webhook does not exist"
        action={
          <Button component={Link} href="/webhooks" variant="default">
            All webhooks
          </Button>
        }
      >
        It may have been removed. Each tenant sees only its own webhooks.
      </EmptyState>
    </>
  );
}
