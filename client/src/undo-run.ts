import { type Connection, parseJson } from './connection.js';
import { Deadline } from './deadline.js';
import { AccountSyncError, UnavailableError } from './errors.js';
import { NDJSON } from './import-response.js';
import { linesOf, piecesOf } from './lines.js';
import { withRetries } from './retries.js';
import type { UndoConflict, UndoProgress, UndoSummary } from './wire.js';

export interface UndoOptions {
  readonly signal?: AbortSignal;
  /** Returns what an undo would do, and stores nothing. */
  readonly dryRun?: boolean;
  /** Takes back also what was changed since: such changes are overwritten. */
  readonly force?: boolean;
  /** Undoes only this request of the run. */
  readonly requestId?: string;
  readonly onProgress?: (progress: UndoProgress) => void;
  /** Called for each field or account that stays as it is; more than once for some if a connection fails meanwhile. */
  readonly onConflict?: (conflict: UndoConflict) => void;
}

type UndoLine =
  | { readonly progress: UndoProgress }
  | { readonly conflict: UndoConflict }
  | { readonly summary: UndoSummary };

/** Sends the request again until it has a summary. The time limit applies while the server is silent. */
export function undoRun(connection: Connection, id: string, options: UndoOptions): Promise<UndoSummary> {
  const { dryRun = false, force = false, requestId, signal } = options;
  const body = JSON.stringify({ dry_run: dryRun, force, request_id: requestId });
  const path = `api/v2/runs/${encodeURIComponent(id)}/undo`;
  const call = {
    method: 'POST',
    path,
    accept: NDJSON,
    contentType: 'application/json',
    body,
    signal,
  } as const;
  const attempt = async () => {
    const deadline = new Deadline(signal);
    const waits = { before: () => deadline.start(connection.timeoutMs), after: () => deadline.stop() };
    try {
      waits.before();
      const response = await connection.open(call, deadline);
      waits.after();
      return await readUndo(linesOf(piecesOf(response.body as ReadableStream<Uint8Array>, waits)), options);
    } catch (error) {
      throw connection.explain(error, call, deadline);
    } finally {
      deadline.close();
    }
  };
  return withRetries(attempt, { ...connection.retryPolicy, signal });
}

async function readUndo(
  lines: AsyncIterable<string>,
  { onProgress, onConflict }: UndoOptions,
): Promise<UndoSummary> {
  for await (const text of lines) {
    const line: UndoLine = parseJson(text, 'POST /api/v2/runs/…/undo');
    if ('progress' in line) onProgress?.(line.progress);
    else if ('conflict' in line) onConflict?.(line.conflict);
    else return completed(line.summary);
  }
  throw new UnavailableError('The response ended before its summary.');
}

function completed(summary: UndoSummary): UndoSummary {
  const { is_complete, code, problem } = summary;
  if (is_complete) return summary;
  const details = { code: code ?? undefined };
  const isTemporary = code === 'undo_interrupted' || code === 'internal_error';
  if (isTemporary) throw new UnavailableError(problem ?? 'The undo was interrupted.', details);
  throw new AccountSyncError(`The undo is not complete: ${problem ?? 'no reason was given.'}`, details);
}
