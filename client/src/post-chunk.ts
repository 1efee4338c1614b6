import type { Chunk } from './chunks.js';
import type { Connection } from './connection.js';
import { UnavailableError, UnexpectedAnswerError } from './errors.js';
import {
  IMPORT_PATH,
  type ImportQuery,
  importQuery,
  NDJSON,
  parseImportLine,
  summaryOf,
} from './import-response.js';
import type { ImportResult } from './wire.js';

interface ChunkCall extends ImportQuery {
  readonly run?: string | undefined;
  readonly signal: AbortSignal;
}

/** Sends one chunk with retries. Records that an attempt without a response has stored are `unchanged` in the next. */
export function postChunk(
  connection: Connection,
  chunk: Chunk,
  { run, signal, ...options }: ChunkCall,
): Promise<ImportResult[]> {
  const call = {
    method: 'POST',
    path: IMPORT_PATH,
    query: importQuery(options),
    accept: NDJSON,
    contentType: NDJSON,
    body: `${chunk.lines.join('\n')}\n`,
    run,
    signal,
  } as const;
  return connection.send(call, async (response) => {
    const text = await response.text();
    const lines = text
      .split('\n')
      .filter((line) => line !== '')
      .map(parseImportLine);
    const { is_complete, problem } = summaryOf(lines.pop());
    if (!is_complete) throw new UnavailableError(`The server did not process all records: ${problem}`);
    if (lines.length !== chunk.lines.length) {
      throw new UnexpectedAnswerError(
        `The request has ${chunk.lines.length} records, but the response has ${lines.length} results.`,
      );
    }
    const results = lines as { -readonly [Name in keyof ImportResult]: ImportResult[Name] }[];
    for (const result of results) result.index += chunk.first;
    return results as ImportResult[];
  });
}
