import { lineOf, type RecordLine } from './record-lines.js';
import { iterate, type Sequence } from './sequence.js';
import type { AccountRecord } from './wire.js';

/** With records this large a chunk is complete before it has its number of them. */
const ENOUGH_CHARACTERS = 1_000_000;

/** Records that travel in one request. */
export interface Chunk {
  /** The place of its first record among all. */
  readonly first: number;
  readonly lines: readonly string[];
  readonly ids: ReadonlySet<string>;
}

export async function* chunksOf(lines: AsyncIterable<RecordLine>, size: number): AsyncGenerator<Chunk> {
  let chunk = emptyChunk(0);
  let characters = 0;
  for await (const line of lines) {
    add(chunk, line);
    characters += line.text.length;
    if (chunk.lines.length < size && characters < ENOUGH_CHARACTERS) continue;
    yield chunk;
    chunk = emptyChunk(chunk.first + chunk.lines.length);
    characters = 0;
  }
  if (chunk.lines.length > 0) yield chunk;
}

/** Each piece as a chunk of its own. */
export async function* chunksOfPieces(
  pieces: Sequence<readonly (AccountRecord | string)[]>,
): AsyncGenerator<Chunk> {
  let first = 0;
  for await (const records of iterate(pieces)) {
    const chunk = emptyChunk(first);
    for (const record of records) add(chunk, lineOf(record));
    if (records.length > 0) yield chunk;
    first += records.length;
  }
}

function add(chunk: ReturnType<typeof emptyChunk>, { text, id }: RecordLine): void {
  chunk.lines.push(text);
  if (id !== undefined) chunk.ids.add(id);
}

function emptyChunk(first: number) {
  return { first, lines: [] as string[], ids: new Set<string>() };
}
