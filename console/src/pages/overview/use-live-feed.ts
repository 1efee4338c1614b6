import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useReducer, useState, useSyncExternalStore } from 'react';
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt follows anew
  useEffect(() => {
    if (!isSeen) return;
    const leaving = new AbortController();
    feed.follow(leaving.signal);
    return () => leaving.abort();
  }, [feed, isSeen, attempt]);
  const state = useSyncExternalStore(feed.watch, feed.state);
  return { ...state, pause: () => feed.pause(), resume: () => feed.resume(), retry };
}
