import { type Connection, parseJson } from './connection.js';
import type { Deadline } from './deadline.js';
import { AccountSyncError, ForbiddenError, UnavailableError } from './errors.js';
import { NDJSON } from './import-response.js';
import { receiveLines } from './receive-lines.js';
import { withRetries } from './retries.js';
import type { RunDetails, UndoConflict, UndoProgress, UndoSummary } from './wire.js';

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

/**
 * Sends the request again until it has a summary. Before a retry the run of the undo is read: if the undo has ended and
 * only its summary was lost, another request would begin a new one.
 */
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
  let undoId: string | null = null;
  const onProgress = (progress: UndoProgress) => {
    undoId = progress.run_id;
    options.onProgress?.(progress);
  };
  const attempt = (number: number) =>
    receiveLines(connection, call, async (send, deadline) => {
      const ended = number > 0 && undoId !== null ? await findEnded(connection, undoId, deadline) : undefined;
      return ended ?? readUndo(await send(), { ...options, onProgress });
    });
  return withRetries(attempt, { ...connection.retryPolicy, signal });
}

/** The summary of an undo that is finished. A key without the scope `read` cannot find out. */
async function findEnded(
  connection: Connection,
  id: string,
  deadline: Deadline,
): Promise<UndoSummary | undefined> {
  const path = `api/v2/runs/${encodeURIComponent(id)}`;
  const response = await connection.open({ path }, deadline).catch((error) => {
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  });
  if (response === undefined) return undefined;
  const run: RunDetails = parseJson(await response.text(), 'GET /api/v2/runs');
  if (run.undo === null || run.state !== 'finished') return undefined;
  const { undo, updated, archived, restored } = run;
  const { run_id: undoes, changes, conflicts } = undo;
  const counts = { changes, updated, archived, restored, conflicts };
  return { run_id: id, undoes, ...counts, dry_run: false, is_complete: true, code: null, problem: null };
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
