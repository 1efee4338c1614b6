import type { RecordLine } from './record-lines.js';

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
  let first = 0;
  let gathered: RecordLine[] = [];
  let characters = 0;
  for await (const line of lines) {
    gathered.push(line);
    characters += line.text.length;
    if (gathered.length < size && characters < ENOUGH_CHARACTERS) continue;
    yield chunk(first, gathered);
    first += gathered.length;
    gathered = [];
    characters = 0;
  }
  if (gathered.length > 0) yield chunk(first, gathered);
}

function chunk(first: number, gathered: readonly RecordLine[]): Chunk {
  const ids = gathered.flatMap(({ id }) => (id === undefined ? [] : [id]));
  return { first, lines: gathered.map(({ text }) => text), ids: new Set(ids) };
}
