import { type Connection, parseJson } from './connection.js';
import { Deadline } from './deadline.js';
import { UnavailableError, UnexpectedAnswerError } from './errors.js';
import { linesOf, piecesOf } from './lines.js';
import { CHANGES_PATH, changePage, type ReadOptions } from './read-changes.js';
import { delayAfter, wait } from './retries.js';
import { serverSentEvents } from './server-sent-events.js';
import type { Change } from './wire.js';

export interface FollowOptions extends ReadOptions {
  /** Time without a change or a heartbeat after which the connection counts as failed; 60,000 by default. */
  readonly silenceMs?: number | undefined;
}

/**
 * Reads the change feed without end, over server-sent events.
 *
 * Each failed or ended connection is replaced, and the new one starts after the cursor of the last change. So no change
 * is skipped and none comes twice. Waits between connections use the same backoff as retries. Only while no connection
 * has ever worked do the limits of the retry policy apply; after that it reconnects for as long as necessary.
 */
export async function* followChanges(
  connection: Connection,
  { after, last, signal, silenceMs = 60_000 }: FollowOptions,
): AsyncGenerator<Change> {
  let cursor = after;
  // A start relative to the end would move with each new connection, so it is replaced by a cursor first.
  if (after === 'latest' || last !== undefined) {
    const page = await changePage(connection, { after, last, signal });
    yield* page.data;
    cursor = page.next;
  }
  const { retries, retryForMs, onRetry, onRecovered } = connection.retryPolicy;
  const startedAt = performance.now();
  let hasConnected = false;
  let isBroken = false;
  for (let failures = 0; ; failures++) {
    let failure: UnavailableError | undefined;
    try {
      for await (const change of subscribe(connection, { after: cursor, signal, silenceMs })) {
        hasConnected = true;
        if (change === undefined) {
          if (isBroken) onRecovered?.();
          isBroken = false;
          continue;
        }
        failures = 0;
        cursor = change.cursor;
        yield change;
      }
    } catch (error) {
      // If no connection ever worked, the cause is probably permanent, for example a wrong address.
      const isTimeUp = failures >= retries || performance.now() - startedAt >= retryForMs;
      if (!(error instanceof UnavailableError) || (!hasConnected && isTimeUp)) throw error;
      failure = error;
    }
    const delayMs = delayAfter(failure, failures);
    if (failure !== undefined) {
      isBroken = true;
      onRetry?.({ error: failure, delayMs });
    }
    await wait(delayMs, signal);
  }
}

/** Reads one connection: first `undefined` when it is established, then the changes. */
async function* subscribe(
  connection: Connection,
  { after, signal, silenceMs = 0 }: FollowOptions,
): AsyncGenerator<Change | undefined> {
  const call = { path: CHANGES_PATH, query: { after }, accept: 'text/event-stream', signal };
  const deadline = new Deadline(signal);
  try {
    deadline.start(connection.timeoutMs);
    const { headers, body } = await connection.open(call, deadline);
    if (!headers.get('content-type')?.startsWith('text/event-stream') || body === null) {
      throw new UnexpectedAnswerError(
        'The server does not stream changes. Check that its version has this operation.',
      );
    }
    deadline.stop();
    yield undefined;
    const waits = { before: () => deadline.start(silenceMs), after: () => deadline.stop() };
    for await (const { event, data } of serverSentEvents(linesOf(piecesOf(body, waits)))) {
      if (event === 'change') yield parseJson(data, `GET /${CHANGES_PATH}`);
    }
  } catch (error) {
    throw connection.explain(error, call, deadline);
  } finally {
    deadline.close();
  }
}
