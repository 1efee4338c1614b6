import { chunksOf } from './chunks.js';
import type { Connection } from './connection.js';
import type { ImportLine } from './import-answer.js';
import { postChunk } from './post-chunk.js';
import type { RecordLine } from './record-lines.js';
import { sendInOrder } from './send-in-order.js';
import type { ImportResult } from './wire.js';

export interface ChunkOptions {
  readonly chunkSize?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Many requests, each with some of the records. */
export function sendInChunks(
  connection: Connection,
  lines: AsyncGenerator<RecordLine>,
  { chunkSize = 200, concurrency = 4, dryRun = false, signal }: ChunkOptions,
): AsyncGenerator<ImportResult> {
  if (!(chunkSize >= 1 && concurrency >= 1))
    throw new RangeError('chunkSize and concurrency must be at least 1.');
  return sendInOrder(
    chunksOf(lines, chunkSize),
    (chunk, signal) => postChunk(connection, chunk, { dryRun, signal }),
    { concurrency, signal },
  );
}

/** What one streaming request would answer, summary included, for where requests cannot stream. */
export async function* chunkedImport(
  connection: Connection,
  lines: AsyncGenerator<RecordLine>,
  options: ChunkOptions,
): AsyncGenerator<ImportLine> {
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  let records = 0;
  for await (const result of sendInChunks(connection, lines, options)) {
    records += 1;
    counts[result.status] += 1;
    yield result;
  }
  const { dryRun = false } = options;
  yield { summary: { records, ...counts, dry_run: dryRun, is_complete: true, problem: null } };
}
