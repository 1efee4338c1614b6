import { useSyncExternalStore } from 'react';

const STEP_MS = 20_000;

/** The current time in steps, so that all relative times on a page change together. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, stepNow);
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, STEP_MS);
  return () => clearInterval(timer);
}

/** Rounded up, so that a recent event is never in the future. */
function stepNow(): number {
  return Math.ceil(Date.now() / STEP_MS) * STEP_MS;
}
