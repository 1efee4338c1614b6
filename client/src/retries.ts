import { UnavailableError } from './errors.js';
import { onAbort } from './on-abort.js';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;
/** Whoever is asked to wait longer than this wants to know, instead of hanging. */
const LONGEST_WAIT_MS = 120_000;

export interface RetryOptions {
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
  /** Asked before each repetition. */
  readonly mayRepeat?: () => boolean;
}

/** Repeats while the failure is a passing one, with exponential backoff and full jitter. */
export async function withRetries<Result>(
  attempt: (number: number) => Promise<Result>,
  { retries, signal, mayRepeat = () => true }: RetryOptions,
): Promise<Result> {
  for (let number = 0; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      if (!(error instanceof UnavailableError) || !mayRepeat()) throw error;
      if (number >= retries || isTooLong(error)) throw givenUp(error, number + 1);
      await wait(delayAfter(error, number), signal);
    }
  }
}

/** Jitter goes on top of what the server asks for, so that not everybody comes back at once. */
export function delayAfter(error: UnavailableError | undefined, repetition: number): number {
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** repetition);
  return (error?.retryAfterMs ?? 0) + Math.random() * longest;
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

function isTooLong({ retryAfterMs = 0 }: UnavailableError): boolean {
  return retryAfterMs > LONGEST_WAIT_MS;
}

function givenUp(last: UnavailableError, attempts: number): UnavailableError {
  const { status, requestId, retryAfterMs } = last;
  const count = attempts === 1 ? 'one attempt' : `${attempts} attempts`;
  const asked = isTooLong(last) ? `: the server asks to wait ${Math.ceil((retryAfterMs ?? 0) / 1000)} s` : '';
  return new UnavailableError(`${last.message} Given up after ${count}${asked}. Repeating later is safe.`, {
    status,
    requestId,
    attempts,
    retryAfterMs,
    cause: last.cause ?? last,
  });
}
