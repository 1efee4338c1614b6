import { piecesOf } from './lines.js';

/** Whatever gives one thing after another. */
export type Sequence<Item> = Iterable<Item> | AsyncIterable<Item> | ReadableStream<Item>;

export function iterate<Item>(sequence: Sequence<Item>): Iterable<Item> | AsyncIterable<Item> {
  return 'getReader' in sequence ? piecesOf(sequence) : sequence;
}
