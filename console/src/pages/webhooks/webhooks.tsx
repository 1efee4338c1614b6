import { Anchor, Box, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'wouter';
import { encodePathSegment } from '../../api/call';
import { useWebhooks } from '../../api/webhooks';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { SavedNote } from '../../components/saved-note';
import { SkeletonLines } from '../../components/skeleton-lines';
import { IconPlus } from '../../icons/icons.js';
import { CreateWebhook } from './create-webhook';
import { NoWebhooks } from './no-webhooks';
import { WebhookList } from './webhook-list';

/** The URLs that get events, and whether each receiver takes them. */
export default function Webhooks() {
  const query = useWebhooks();
  const [isCreating, dialog] = useDisclosure();
  const [created, setCreated] = useState<string>();
  const open = () => {
    setCreated(undefined);
    dialog.open();
  };
  const done = (id: string) => {
    dialog.close();
    setCreated(id);
  };
  return (
    <>
      <PageHead
        title="Webhooks"
        description="The URLs that get events as they happen, and whether their receivers take them."
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
            New webhook
          </Button>
        }
      />
      <Box mb={created === undefined ? 0 : 'md'}>
        <SavedNote>{created === undefined ? undefined : <CreatedNote id={created} />}</SavedNote>
      </Box>
      <QueryView query={query} loading={<SkeletonLines lines={4} height={64} />}>
        {(webhooks) =>
          webhooks.length === 0 ? <NoWebhooks onCreate={open} /> : <WebhookList webhooks={webhooks} />
        }
      </QueryView>
      {isCreating && <CreateWebhook onClose={dialog.close} onDone={done} />}
    </>
  );
}

function CreatedNote({ id }: { id: string }) {
  return (
    <>
      The webhook was created. It gets events from now on.{' '}
      <Anchor component={Link} href={`/webhooks/${encodePathSegment(id)}`} inherit underline="always">
        Open it to send a test event
      </Anchor>
    </>
  );
}
