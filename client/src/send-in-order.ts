import type { Chunk } from './chunks.js';
import { Deadline } from './deadline.js';
import { ReadAhead } from './read-ahead.js';
import type { ImportResult } from './wire.js';

export interface SendOptions {
  /** How many chunks may be under way, or done and not yet taken. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
}

type Post = (chunk: Chunk, signal: AbortSignal) => Promise<ImportResult[]>;

/**
 * Sends chunks side by side and gives the results of each, in order. A chunk with an account that is under way waits:
 * else the older record might be stored after the newer one.
 */
export async function* sendInOrder(
  chunks: AsyncGenerator<Chunk>,
  post: Post,
  { concurrency, signal }: SendOptions,
): AsyncGenerator<ImportResult[]> {
  let wake = () => {};
  const source = new ReadAhead(chunks, () => wake());
  const flights: Flight[] = [];
  const whole = new Deadline(signal);
  whole.signal.addEventListener('abort', () => wake());
  const mayStart = (chunk: Chunk) =>
    flights.length < concurrency && !flights.some((flight) => flight.isInTheWayOf(chunk));
  try {
    for (;;) {
      signal?.throwIfAborted();
      if (source.item !== undefined && mayStart(source.item)) {
        const chunk = source.item;
        flights.push(new Flight(chunk, post(chunk, whole.signal), () => wake()));
        source.item = undefined;
      }
      source.readOn();
      const [oldest] = flights;
      if (oldest?.isDone) {
        flights.shift();
        yield await oldest.results;
      } else if (oldest === undefined && source.isAtEnd) {
        return source.throwIfFailed();
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    whole.close();
    source.close();
  }
}

class Flight {
  isDone = false;

  constructor(
    readonly chunk: Chunk,
    readonly results: Promise<ImportResult[]>,
    wake: () => void,
  ) {
    const end = () => {
      this.isDone = true;
      wake();
    };
    results.then(end, end);
  }

  isInTheWayOf({ ids }: Chunk): boolean {
    if (this.isDone) return false;
    for (const id of ids) if (this.chunk.ids.has(id)) return true;
    return false;
  }
}
