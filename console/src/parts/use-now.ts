import { useSyncExternalStore } from 'react';

const STEP_MS = 20_000;

/** The present, in steps, so that all that show it change together; never behind what has just happened. */
export function useNow(): number {
  return useSyncExternalStore(watch, stepNow);
}

function watch(changed: () => void): () => void {
  const timer = setInterval(changed, STEP_MS);
  return () => clearInterval(timer);
}

/** Rounded up: what has just happened does not lie ahead. */
function stepNow(): number {
  return Math.ceil(Date.now() / STEP_MS) * STEP_MS;
}
