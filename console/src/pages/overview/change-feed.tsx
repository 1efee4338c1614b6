import { Button, VisuallyHidden } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { ErrorState } from '../../parts/error-state';
import { plural } from '../../parts/format';
import { LinesLoading } from '../../parts/lines-loading';
import { ChangeRow } from './change-row';
import { ConnectionSign } from './connection-sign';
import css from './overview.module.css';
import { Panel } from './panel';
import type { LiveChanges } from './use-live-feed';

/** So that whoever listens is told now and then, and not of each. */
const TOLD_EVERY_MS = 10_000;

export function ChangeFeed({ feed }: { feed: LiveChanges }) {
  return (
    <Panel title="Latest changes" note={<ConnectionSign feed={feed} />} actions={<PauseButton feed={feed} />}>
      {feed.error !== undefined && <ErrorState error={feed.error} retry={feed.retry} />}
      {feed.changes === undefined ? (
        feed.error === undefined && <LinesLoading lines={20} height={48} />
      ) : (
        <Changes changes={feed.changes} />
      )}
      <Told feed={feed} />
    </Panel>
  );
}

function Changes({ changes }: { changes: NonNullable<LiveChanges['changes']> }) {
  const [first] = useState(() => new Set(changes.map(({ cursor }) => cursor)));
  return (
    <ul className={css.rows}>
      {changes.map((change) => (
        <ChangeRow key={change.cursor} change={change} isNew={!first.has(change.cursor)} />
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

function Told({ feed: { arrived, changes } }: { feed: LiveChanges }) {
  const latest = changes?.[0];
  const text =
    arrived === 0 || latest === undefined
      ? ''
      : `${plural(arrived, 'change')} since this page was opened, the latest: ${latest.account_id} ${latest.kind}.`;
  return <VisuallyHidden role="status">{useThrottledValue(text, TOLD_EVERY_MS)}</VisuallyHidden>;
}
