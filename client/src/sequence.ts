import { piecesOf } from './lines.js';

/** Whatever gives one thing after another. */
export type Sequence<Item> = Iterable<Item> | AsyncIterable<Item> | ReadableStream<Item>;

export async function* iterate<Item>(sequence: Sequence<Item>): AsyncGenerator<Item> {
  if ('getReader' in sequence) yield* piecesOf(sequence);
  else yield* sequence;
}
