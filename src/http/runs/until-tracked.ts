import { setTimeout } from 'node:timers/promises';
import type { Store } from '../../store/store.js';

/** Within this time all processes have read changed settings. */
const SETTLE_MS = 1_000;

/** Waits until all processes know that a source is tracked: before that, they do not store what it pushes. */
export async function untilTracked({ dialect }: Store, trackedSince: number, now: number): Promise<void> {
  const waitMs = Math.min(trackedSince + SETTLE_MS - now, SETTLE_MS);
  if (dialect === 'postgres' && waitMs > 0) await setTimeout(waitMs);
}
