import { type Chunk, chunksOf } from './chunks.js';
import type { Connection } from './connection.js';
import type { ImportLine } from './import-response.js';
import { postChunk } from './post-chunk.js';
import type { RecordLine } from './record-lines.js';
import { sendInOrder } from './send-in-order.js';
import type { ImportResult, WriteMode } from './wire.js';

export interface SendChunksOptions {
  readonly concurrency?: number | undefined;
  readonly dryRun?: boolean | undefined;
  readonly mode?: WriteMode | undefined;
  readonly run?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ChunkOptions extends SendChunksOptions {
  readonly chunkSize?: number | undefined;
}

/** Sends one request per chunk and returns one array of results per chunk. */
export function sendChunks(
  connection: Connection,
  chunks: AsyncGenerator<Chunk>,
  { concurrency = 4, dryRun = false, mode, run, signal }: SendChunksOptions,
): AsyncGenerator<ImportResult[]> {
  if (!(concurrency >= 1)) throw new RangeError('concurrency must be at least 1.');
  const post = (chunk: Chunk, signal: AbortSignal) =>
    postChunk(connection, chunk, { dryRun, mode, run, signal });
  return sendInOrder(chunks, post, { concurrency, signal });
}

/** Splits the records into chunks and sends one request per chunk. */
export function sendInChunks(
  connection: Connection,
  lines: AsyncGenerator<RecordLine>,
  { chunkSize = 200, ...options }: ChunkOptions,
): AsyncGenerator<ImportResult> {
  if (!(chunkSize >= 1)) throw new RangeError('chunkSize must be at least 1.');
  return flatten(sendChunks(connection, chunksOf(lines, chunkSize), options));
}

async function* flatten<Item>(arrays: AsyncGenerator<readonly Item[]>): AsyncGenerator<Item> {
  for await (const items of arrays) yield* items;
}

/** Replaces a streaming request where the platform has none: the same results and summary, from many requests. */
export async function* chunkedImport(
  connection: Connection,
  lines: AsyncGenerator<RecordLine>,
  options: ChunkOptions,
): AsyncGenerator<ImportLine> {
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
  let records = 0;
  let kept = 0;
  for await (const result of sendInChunks(connection, lines, options)) {
    records += 1;
    counts[result.status] += 1;
    if (result.status !== 'failed') kept += result.kept?.length ?? 0;
    yield result;
  }
  const { dryRun = false } = options;
  yield { summary: { records, ...counts, kept, dry_run: dryRun, is_complete: true, problem: null } };
}
