import type { Connection } from './connection.js';
import { Deadline } from './deadline.js';
import {
  IMPORT_PATH,
  type ImportLine,
  type ImportQuery,
  importQuery,
  NDJSON,
  parseImportLine,
} from './import-response.js';
import { joinPieces } from './join-pieces.js';
import { linesOf, piecesOf } from './lines.js';
import { type ImportInput, textOf } from './record-lines.js';
import { RequestBody } from './request-body.js';
import { withRetries } from './retries.js';

interface StreamOptions extends ImportQuery {
  readonly run?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Imports records with one request: the server sends results while the client still sends records.
 *
 * The source can be read only once, so the request is retried only until it has sent its first piece. The time limit
 * applies while the server is silent, not while the source is: `body.isWaiting` pauses it.
 */
export async function* streamImport(
  connection: Connection,
  input: ImportInput,
  { run, signal, ...options }: StreamOptions,
): AsyncGenerator<ImportLine> {
  const body = new RequestBody(joinPieces(textOf(input)));
  let deadline = new Deadline(signal);
  const query = importQuery(options);
  const call = {
    method: 'POST',
    path: IMPORT_PATH,
    query,
    accept: NDJSON,
    contentType: NDJSON,
    run,
    signal,
  } as const;
  const waits = {
    before: () => deadline.start(connection.timeoutMs, () => body.isWaiting),
    after: () => deadline.stop(),
  };
  const attempt = async () => {
    deadline.close();
    deadline = new Deadline(signal);
    waits.before();
    try {
      return await connection.open({ ...call, body: body.stream() }, deadline);
    } catch (error) {
      throw connection.explain(error, call, deadline);
    } finally {
      waits.after();
    }
  };
  const mayRepeat = () => !body.isSpent;
  try {
    const response = await withRetries(attempt, { ...connection.retryPolicy, signal, mayRepeat });
    for await (const line of linesOf(piecesOf(response.body as ReadableStream<Uint8Array>, waits))) {
      yield parseImportLine(line);
    }
  } catch (error) {
    throw body.failure === undefined ? connection.explain(error, call, deadline) : body.failure.error;
  } finally {
    deadline.close();
    body.close();
  }
}

/**
 * Detects whether `fetch` can stream a request body. Browsers count as unable, though some can: they expose the
 * response only after the whole request is sent. Until then results remain unread, and the server does not buffer them.
 */
export function canStreamRequests(): boolean {
  if ('document' in globalThis || 'WorkerGlobalScope' in globalThis) return false;
  let isDuplexRead = false;
  const init = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      isDuplexRead = true;
      return 'half';
    },
  };
  // A platform without streaming converts the body to the text "[object ReadableStream]" and sets a content type.
  const { headers } = new Request('http://localhost', init);
  return isDuplexRead && !headers.has('content-type');
}
