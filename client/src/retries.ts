import { UnavailableError } from './errors.js';
import { onAbort } from './on-abort.js';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;
/** Whoever has said how long to go on waits for this server, and wants to be there soon after it is. */
const LONGEST_DELAY_IN_TIME_MS = 5_000;
/** Whoever is asked to wait longer than this wants to know, instead of hanging. */
const LONGEST_WAIT_MS = 120_000;

/** A failure that is about to be repeated. */
export interface Retry {
  readonly error: UnavailableError;
  /** How long it waits before that. */
  readonly delayMs: number;
}

/** When a failure that may pass is the end. */
export interface RetryPolicy {
  readonly retries: number;
  /** How long to go on after the first failure; infinite where only `retries` counts. */
  readonly retryForMs: number;
  readonly onRetry: ((retry: Retry) => void) | undefined;
  readonly onRecovered: (() => void) | undefined;
}

export interface RetryOptions extends RetryPolicy {
  readonly signal?: AbortSignal | undefined;
  /** Asked before each repetition. */
  readonly mayRepeat?: () => boolean;
}

/** Repeats while the failure is a passing one, with exponential backoff and full jitter. */
export async function withRetries<Result>(
  attempt: (number: number) => Promise<Result>,
  { signal, mayRepeat = () => true, ...policy }: RetryOptions,
): Promise<Result> {
  let failedAt: number | undefined;
  for (let number = 0; ; number++) {
    try {
      const result = await attempt(number);
      if (number > 0) policy.onRecovered?.();
      return result;
    } catch (error) {
      if (!(error instanceof UnavailableError) || !mayRepeat()) throw error;
      failedAt ??= performance.now();
      const leftMs = policy.retryForMs - (performance.now() - failedAt);
      if (number >= policy.retries || leftMs <= 0 || isTooLong(error, leftMs)) {
        throw givenUp(error, number + 1, leftMs);
      }
      // The last attempt comes when time is up, not before.
      const longest = Number.isFinite(leftMs) ? LONGEST_DELAY_IN_TIME_MS : LONGEST_DELAY_MS;
      const delayMs = Math.min(delayAfter(error, number, longest), leftMs);
      policy.onRetry?.({ error, delayMs });
      await wait(delayMs, signal);
    }
  }
}

/** Jitter goes on top of what the server asks for, so that not everybody comes back at once. */
export function delayAfter(
  error: UnavailableError | undefined,
  repetition: number,
  longest = LONGEST_DELAY_MS,
): number {
  const limit = Math.min(longest, FIRST_DELAY_MS * 2 ** repetition);
  return (error?.retryAfterMs ?? 0) + Math.random() * limit;
}

/** Ends early, with the signal's reason, when the signal is aborted. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      forget();
      resolve();
    }, ms);
    const forget = onAbort(signal, () => {
      clearTimeout(timer);
      forget();
      reject(signal?.reason);
    });
  });
}

/** Whoever has said how long to go on is not spared a long wait, but one that is longer than that. */
function isTooLong({ retryAfterMs = 0 }: UnavailableError, leftMs: number): boolean {
  return retryAfterMs > (Number.isFinite(leftMs) ? Math.max(0, leftMs) : LONGEST_WAIT_MS);
}

function givenUp(last: UnavailableError, attempts: number, leftMs: number): UnavailableError {
  const { status, requestId, retryAfterMs } = last;
  const count = attempts === 1 ? 'one attempt' : `${attempts} attempts`;
  const asked = isTooLong(last, leftMs)
    ? `: the server asks to wait ${Math.ceil((retryAfterMs ?? 0) / 1000)} s`
    : '';
  return new UnavailableError(`${last.message} Given up after ${count}${asked}. Repeating later is safe.`, {
    status,
    requestId,
    attempts,
    retryAfterMs,
    cause: last.cause ?? last,
  });
}
