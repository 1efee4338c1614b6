import type { Chunk } from './chunks.js';
import { Deadline } from './deadline.js';
import { ReadAhead } from './read-ahead.js';
import type { ImportResult } from './wire.js';

export interface SendOptions {
  /** Maximum number of chunks that are in flight, or done and not yet read by the caller. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
}

type Post = (chunk: Chunk, signal: AbortSignal) => Promise<ImportResult[]>;

/**
 * Sends chunks concurrently and returns their results in order: a sliding window over the source.
 *
 *   source → ReadAhead (one chunk) → window of at most `concurrency` chunks → results of the oldest chunk
 *
 * A chunk with an account of an unfinished chunk is not started. Otherwise the server could store the older record of
 * that account after the newer one. Chunks start in the order of the source: a chunk that waits delays all later ones.
 */
export async function* sendInOrder(
  chunks: AsyncGenerator<Chunk>,
  post: Post,
  { concurrency, signal }: SendOptions,
): AsyncGenerator<ImportResult[]> {
  let wake = () => {};
  const source = new ReadAhead(chunks, () => wake());
  const inFlight: InFlightChunk[] = [];
  const run = new Deadline(signal);
  run.signal.addEventListener('abort', () => wake());
  const mayStart = (chunk: Chunk) =>
    inFlight.length < concurrency && !inFlight.some((other) => other.blocks(chunk));
  try {
    for (;;) {
      signal?.throwIfAborted();
      if (source.item !== undefined && mayStart(source.item)) {
        const chunk = source.item;
        inFlight.push(new InFlightChunk(chunk, post(chunk, run.signal), () => wake()));
        source.item = undefined;
      }
      source.readNext();
      const [oldest] = inFlight;
      if (oldest?.isDone) {
        inFlight.shift();
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
    run.close();
    source.close();
  }
}

class InFlightChunk {
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

  /** Whether it is unfinished and has a record of an account that the other chunk has too. */
  blocks({ ids }: Chunk): boolean {
    if (this.isDone) return false;
    for (const id of ids) if (this.chunk.ids.has(id)) return true;
    return false;
  }
}
