import { Button, VisuallyHidden } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { useState } from 'react';
import { ChangeRow } from '../../components/change-row';
import { ErrorState } from '../../components/error-state';
import { plural } from '../../components/format';
import { Panel } from '../../components/panel';
import { SkeletonLines } from '../../components/skeleton-lines';
import { IconPlayerPause, IconPlayerPlay } from '../../icons/icons.js';
import { ConnectionStatus } from './connection-status';
import type { LiveChanges } from './use-live-feed';

/** Screen readers announce a summary at this interval, instead of every change. */
const ANNOUNCE_EVERY_MS = 10_000;

export function ChangeFeed({ feed }: { feed: LiveChanges }) {
  return (
    <Panel
      title="Latest changes"
      note={<ConnectionStatus feed={feed} />}
      actions={<PauseButton feed={feed} />}
    >
      {feed.error !== undefined && <ErrorState error={feed.error} retry={feed.retry} />}
      {feed.changes === undefined ? (
        feed.error === undefined && <SkeletonLines lines={20} height={48} />
      ) : (
        <Changes changes={feed.changes} />
      )}
      <FeedAnnouncement feed={feed} />
    </Panel>
  );
}

function Changes({ changes }: { changes: NonNullable<LiveChanges['changes']> }) {
  const [first] = useState(() => new Set(changes.map(({ cursor }) => cursor)));
  return (
    <ul className="row-list">
      {changes.map((change) => (
        <ChangeRow key={change.cursor} change={change} isNew={!first.has(change.cursor)} showsOrigin />
      ))}
    </ul>
  );
}

function PauseButton({ feed }: { feed: LiveChanges }) {
  const { isPaused, held, pause, resume } = feed;
  const Icon = isPaused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      leftSection={<Icon size={14} aria-hidden />}
      onClick={isPaused ? resume : pause}
    >
      {isPaused ? `Resume${held > 0 ? ` (${plural(held, 'new change')})` : ''}` : 'Pause'}
    </Button>
  );
}

function FeedAnnouncement({ feed: { arrived, changes } }: { feed: LiveChanges }) {
  const latest = changes?.[0];
  const text =
    arrived === 0 || latest === undefined
      ? ''
      : `${plural(arrived, 'change')} since this page was opened. Latest: ${latest.account_id} ${latest.kind}.`;
  return <VisuallyHidden role="status">{useThrottledValue(text, ANNOUNCE_EVERY_MS)}</VisuallyHidden>;
}
