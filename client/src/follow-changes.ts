import { type Connection, parseJson } from './connection.js';
import { Deadline } from './deadline.js';
import { UnavailableError, UnexpectedAnswerError } from './errors.js';
import { linesOf, piecesOf } from './lines.js';
import { CHANGES_PATH, changePage, type ReadOptions } from './read-changes.js';
import { delayAfter, wait } from './retries.js';
import { serverSentEvents } from './server-sent-events.js';
import type { Change } from './wire.js';

export interface FollowOptions extends ReadOptions {
  /** How long not even a heartbeat may come before the connection counts as broken; 60,000 by default. */
  readonly silenceMs?: number | undefined;
}

/** The feed, and whatever will be added to it: a broken connection is replaced by one that goes on after it. */
export async function* followChanges(
  connection: Connection,
  { after, last, signal, silenceMs = 60_000 }: FollowOptions,
): AsyncGenerator<Change> {
  let cursor = after;
  // Told from the end, a beginning would be a later place at each new connection.
  if (after === 'latest' || last !== undefined) {
    const page = await changePage(connection, { after, last, signal });
    yield* page.data;
    cursor = page.next;
  }
  const { retries, retryForMs, onRetry, onRecovered } = connection.retryPolicy;
  const startedAt = performance.now();
  let hasStood = false;
  let isBroken = false;
  for (let failures = 0; ; failures++) {
    let failure: UnavailableError | undefined;
    try {
      for await (const change of subscribe(connection, { after: cursor, signal, silenceMs })) {
        hasStood = true;
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
      // Where it never worked, something is wrong that waiting does not mend.
      const isTimeUp = failures >= retries || performance.now() - startedAt >= retryForMs;
      if (!(error instanceof UnavailableError) || (!hasStood && isTimeUp)) throw error;
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

/** One connection: `undefined` once it stands, then the changes. */
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
      throw new UnexpectedAnswerError('The server does not stream its changes. Is it recent enough?');
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
