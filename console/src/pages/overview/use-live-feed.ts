import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useReducer, useState, useSyncExternalStore } from 'react';
import { askForStatus } from '../../api/query-client';
import { useStatus } from '../../api/status';
import { type FeedState, LiveFeed } from './live-feed';

export interface LiveChanges extends FeedState {
  readonly pause: () => void;
  readonly resume: () => void;
  readonly retry: () => void;
}

/** Follows while the page is seen: a browser has few connections to one host, and tabs that nobody sees would use them up. */
export function useLiveFeed(): LiveChanges {
  const [feed] = useState(() => new LiveFeed());
  const [attempt, retry] = useReducer((attempts: number) => attempts + 1, 0);
  const isSeen = useDocumentVisibility() !== 'hidden';
  const { isAway } = useStatus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt follows anew
  useEffect(() => {
    // A stream that breaks waits longer from try to try; once the server is back it is to be live at once.
    if (!isSeen || isAway) return;
    const leaving = new AbortController();
    feed.follow(leaving.signal);
    return () => leaving.abort();
  }, [feed, isSeen, isAway, attempt]);
  const state = useSyncExternalStore(feed.watch, feed.state);
  const isBroken = state.connection === 'reconnecting';
  useEffect(() => {
    if (isBroken) askForStatus();
  }, [isBroken]);
  const connection = isAway ? 'reconnecting' : state.connection;
  return { ...state, connection, pause: () => feed.pause(), resume: () => feed.resume(), retry };
}
