import { setTimeout } from 'node:timers/promises';

/**
 * How long a job rests after a step, as a multiple of the step's own time. SQLite has no queue for its write lock: a
 * writer that finds it taken sleeps and tries again, so steps without a rest between them would starve it.
 */
export const REST = {
  /** No request waits for the job: it works for a tenth of the time. */
  background: 9,
  /** A request waits for the job. */
  awaited: 1,
} as const;

/** Resolves after a time, or when the signal aborts; false if it has aborted. */
export async function rest(ms: number, end?: AbortSignal): Promise<boolean> {
  await setTimeout(ms, undefined, end && { signal: end }).catch(() => {});
  return end?.aborted !== true;
}

/** Like `rest`, for longer times: it does not keep the process from exiting. */
export async function pause(ms: number, end: AbortSignal): Promise<boolean> {
  await setTimeout(ms, undefined, { signal: end, ref: false }).catch(() => {});
  return !end.aborted;
}
