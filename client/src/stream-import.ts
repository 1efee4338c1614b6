import type { Connection } from './connection.js';
import { Deadline } from './deadline.js';
import { gather } from './gather.js';
import { IMPORT_PATH, type ImportLine, NDJSON, parseImportLine } from './import-answer.js';
import { linesOf, piecesOf } from './lines.js';
import { type ImportInput, textOf } from './record-lines.js';
import { RequestBody } from './request-body.js';
import { withRetries } from './retries.js';

/** One request whose results come back while its records still go out. */
export async function* streamImport(
  connection: Connection,
  input: ImportInput,
  { dryRun, signal }: { readonly dryRun: boolean; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<ImportLine> {
  const body = new RequestBody(gather(textOf(input)));
  let deadline = new Deadline(signal);
  const query = dryRun ? { dry_run: true } : {};
  const call = {
    method: 'POST',
    path: IMPORT_PATH,
    query,
    accept: NDJSON,
    contentType: NDJSON,
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
 * Browsers do not take part, though some can stream a request: they hand out the answer only when the request is
 * over, and until then nobody would read the results, which the server does not pile up.
 */
export function canStreamRequests(): boolean {
  if ('document' in globalThis || 'WorkerGlobalScope' in globalThis) return false;
  let isAsked = false;
  const init = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      isAsked = true;
      return 'half';
    },
  };
  // Where streams are unknown, the body becomes the text "[object ReadableStream]" and gets its type.
  const { headers } = new Request('http://localhost', init);
  return isAsked && !headers.has('content-type');
}
