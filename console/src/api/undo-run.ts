import {
  AccountSyncError,
  type ErrorCode,
  RefusedError,
  UnavailableError,
  type UndoConflict,
  type UndoProgress,
  type UndoSummary,
} from '@account-sync/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, client } from './call';
import { withConflict } from './first-conflicts';

export interface UndoRequest {
  readonly runId: string;
  /** Null to undo the whole run. */
  readonly requestId: string | null;
  readonly force: boolean;
  readonly isDryRun: boolean;
}

/** What the server would say in terms of the API, in terms of the console. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  run_open: 'The run has not ended. Undo it once it has.',
  undo_unfinished:
    'Another undo of this run has not ended. Close this dialog, and continue that one on the page of the run.',
  undo_taken_over: 'The undo was ended, or is continued elsewhere. The page of its run shows how far it is.',
  too_many_undos: 'Too many undos are under way. Wait until one of them has ended.',
};

const LOST = 'The server does not respond, or the connection to it was lost.';

/** One undo or dry run at a time. Unmounting the component stops it; an undo can be continued. */
export function useUndoRun(onUndone?: () => void) {
  const queries = useQueryClient();
  const controller = useRef<AbortController | undefined>(undefined);
  const [progress, setProgress] = useState<UndoProgress>();
  const [conflicts, setConflicts] = useState<readonly UndoConflict[]>([]);
  const { mutate, data, error, isPending, variables } = useMutation({
    mutationFn: (request: UndoRequest) => {
      controller.current = new AbortController();
      const { signal } = controller.current;
      return undoRun(request, {
        signal,
        onProgress: (next) => {
          if (signal.aborted) return;
          setProgress(next);
          // The page of the run shows its undo from now on, so that it can be continued.
          if (next.run_id !== null && next.examined === 0)
            queries.invalidateQueries({ queryKey: ['run', next.undoes] });
        },
        onConflict: (conflict) => signal.aborted || setConflicts((known) => withConflict(known, conflict)),
      });
    },
    onSettled: async (_summary, _error, { isDryRun }) => {
      if (isDryRun) return;
      // A query's first request is not repeated while it is under way, and may have read the undo while it was open.
      await queries.cancelQueries();
      await queries.invalidateQueries();
    },
  });
  useEffect(() => () => controller.current?.abort(), []);
  const begin = (request: UndoRequest) => {
    controller.current?.abort();
    setProgress(undefined);
    setConflicts([]);
    mutate(request, { onSuccess: () => request.isDryRun || onUndone?.() });
  };
  return { begin, summary: data, error, isPending, request: variables, progress, conflicts };
}

export type UndoRun = ReturnType<typeof useUndoRun>;

interface Listeners {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: UndoProgress) => void;
  readonly onConflict: (conflict: UndoConflict) => void;
}

async function undoRun(request: UndoRequest, listeners: Listeners): Promise<UndoSummary> {
  const { runId, requestId, force, isDryRun } = request;
  try {
    return await client.undoRun(runId, {
      dryRun: isDryRun,
      force,
      ...(requestId !== null && { requestId }),
      ...listeners,
    });
  } catch (error) {
    throw error instanceof AccountSyncError ? toApiError(error) : error;
  }
}

/** Status 409 for an undo that ended early for good. */
function toApiError(error: AccountSyncError): ApiError {
  const { requestId, code } = error;
  const known = code && MESSAGES[code];
  if (error instanceof UnavailableError) return new ApiError(error.status ?? 0, known ?? LOST, requestId);
  if (error instanceof RefusedError)
    return new ApiError(error.status, known ?? error.messages.join(' '), requestId);
  return new ApiError(409, known ?? error.message, requestId);
}
