import { lineOf, type RecordLine } from './record-lines.js';
import { iterate, type Sequence } from './sequence.js';
import type { AccountRecord } from './wire.js';

/** A chunk of large records ends at this size, before it has the usual number of records. */
const MAX_CHUNK_CHARACTERS = 1_000_000;

/** The records of one request. */
export interface Chunk {
  /** The index of its first record among all records of the call. */
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
    if (chunk.lines.length < size && characters < MAX_CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = emptyChunk(chunk.first + chunk.lines.length);
    characters = 0;
  }
  if (chunk.lines.length > 0) yield chunk;
}

/** Makes one chunk of each array of records. */
export async function* chunksOfArrays(
  arrays: Sequence<readonly (AccountRecord | string)[]>,
): AsyncGenerator<Chunk> {
  let first = 0;
  for await (const records of iterate(arrays)) {
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
