import { UnavailableError } from './errors.js';
import { onAbort } from './on-abort.js';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;
/** With `retryForMs` the caller waits for this server, so an attempt soon follows its return. */
const LONGEST_DELAY_WITH_TIME_LIMIT_MS = 5_000;
/** If `Retry-After` is longer than this, the call fails immediately, so that the caller knows and does not hang. */
const LONGEST_RETRY_AFTER_MS = 120_000;

/** A failed attempt that will be repeated. */
export interface Retry {
  readonly error: UnavailableError;
  /** The wait before the next attempt. */
  readonly delayMs: number;
}

/** When to stop after temporary failures. */
export interface RetryPolicy {
  readonly retries: number;
  /** Time to retry after the first failure; infinite if only `retries` limits it. */
  readonly retryForMs: number;
  readonly onRetry: ((retry: Retry) => void) | undefined;
  readonly onRecovered: (() => void) | undefined;
}

export interface RetryOptions extends RetryPolicy {
  readonly signal?: AbortSignal | undefined;
  /** Called before each retry; `false` ends the call with the failure. */
  readonly mayRepeat?: () => boolean;
}

/** Repeats an operation after temporary failures, with exponential backoff and full jitter. */
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
        throw gaveUp(error, number + 1, leftMs);
      }
      // Cut the delay to the time left, so that the last attempt happens when the time ends.
      const longest = Number.isFinite(leftMs) ? LONGEST_DELAY_WITH_TIME_LIMIT_MS : LONGEST_DELAY_MS;
      const delayMs = Math.min(delayAfter(error, number, longest), leftMs);
      policy.onRetry?.({ error, delayMs });
      await wait(delayMs, signal);
    }
  }
}

/** The random part is added to `Retry-After`, so that the clients of a server do not all return at the same time. */
export function delayAfter(
  error: UnavailableError | undefined,
  retry: number,
  longest = LONGEST_DELAY_MS,
): number {
  const limit = Math.min(longest, FIRST_DELAY_MS * 2 ** retry);
  return (error?.retryAfterMs ?? 0) + Math.random() * limit;
}

/** Ends early, with the signal's reason, when the signal is aborted. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      unsubscribe();
      resolve();
    }, ms);
    const unsubscribe = onAbort(signal, () => {
      clearTimeout(timer);
      unsubscribe();
      reject(signal?.reason);
    });
  });
}

/** Whether `Retry-After` exceeds the time left or, without a time limit, LONGEST_RETRY_AFTER_MS. */
function isTooLong({ retryAfterMs = 0 }: UnavailableError, leftMs: number): boolean {
  return retryAfterMs > (Number.isFinite(leftMs) ? Math.max(0, leftMs) : LONGEST_RETRY_AFTER_MS);
}

function gaveUp(last: UnavailableError, attempts: number, leftMs: number): UnavailableError {
  const { status, requestId, code, retryAfterMs } = last;
  const count = attempts === 1 ? 'one attempt' : `${attempts} attempts`;
  const reason = isTooLong(last, leftMs)
    ? `: the server asks to wait ${Math.ceil((retryAfterMs ?? 0) / 1000)} s`
    : '';
  return new UnavailableError(
    `${last.message} Gave up after ${count}${reason}. It is safe to try again later.`,
    {
      status,
      requestId,
      code,
      attempts,
      retryAfterMs,
      cause: last.cause ?? last,
    },
  );
}
