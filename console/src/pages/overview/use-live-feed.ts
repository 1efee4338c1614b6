import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useReducer, useState, useSyncExternalStore } from 'react';
import { refetchStatus } from '../../api/query-client';
import { useStatus } from '../../api/status';
import { type FeedState, LiveFeed } from './live-feed';

export interface LiveChanges extends FeedState {
  readonly pause: () => void;
  readonly resume: () => void;
  readonly retry: () => void;
}

/** Follows only while the page is visible. Browsers limit connections per host, and hidden tabs would use them up. */
export function useLiveFeed(): LiveChanges {
  const [feed] = useState(() => new LiveFeed());
  const [attempt, retry] = useReducer((attempts: number) => attempts + 1, 0);
  const isVisible = useDocumentVisibility() !== 'hidden';
  const { isUnreachable } = useStatus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt starts a new connection
  useEffect(() => {
    // A broken stream retries with growing delays. Starting anew when the server is back reconnects immediately.
    if (!isVisible || isUnreachable) return;
    const controller = new AbortController();
    feed.follow(controller.signal);
    return () => controller.abort();
  }, [feed, isVisible, isUnreachable, attempt]);
  const state = useSyncExternalStore(feed.subscribe, feed.state);
  const isReconnecting = state.connection === 'reconnecting';
  useEffect(() => {
    if (isReconnecting) refetchStatus();
  }, [isReconnecting]);
  const connection = isUnreachable ? 'reconnecting' : state.connection;
  return { ...state, connection, pause: () => feed.pause(), resume: () => feed.resume(), retry };
}
