import { piecesOf } from './lines.js';

/** Any source of items: an array, a generator, an async iterable or a stream. */
export type Sequence<Item> = Iterable<Item> | AsyncIterable<Item> | ReadableStream<Item>;

export function iterate<Item>(sequence: Sequence<Item>): Iterable<Item> | AsyncIterable<Item> {
  return 'getReader' in sequence ? piecesOf(sequence) : sequence;
}
