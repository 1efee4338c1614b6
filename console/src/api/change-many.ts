import {
  type AccountEdit,
  type AccountSelection,
  AccountSyncError,
  type ErrorCode,
  type ManyProgress,
  type ManySummary,
  RefusedError,
  UnavailableError,
  type WouldChange,
} from '@account-sync/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, client } from './call';
import { NO_REJECTIONS, type RejectedAccounts, withRejection } from './rejected-accounts';

export interface ManyRequest {
  readonly selection: AccountSelection;
  /** Null to delete the accounts. */
  readonly edit: AccountEdit | null;
  readonly isDryRun: boolean;
  /** The number of accounts that the preview has found; undefined for a preview. */
  readonly maxAccounts?: number;
}

/** What is known of a request before its end. */
export interface ManyReport {
  readonly progress: ManyProgress | undefined;
  readonly rejected: RejectedAccounts;
  /** The first accounts that would change. */
  readonly examples: readonly WouldChange[];
}

const NO_REPORT: ManyReport = { progress: undefined, rejected: NO_REJECTIONS, examples: [] };

/** What the server would say in terms of the API, in terms of the console. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  too_many_edits: 'Too many changes of many accounts are under way. Wait until one of them has ended.',
  too_many_matching: 'More accounts match now than in the preview.',
  edit_interrupted: 'The server is stopping.',
  internal_error: 'The server could not go on.',
  key_ended: 'Your session has ended, or your role does not allow this any more.',
};

const LOST = 'The server does not respond, or the connection to it was lost.';

/** Edits or deletes many accounts, or previews it, one request at a time. Unmounting the component stops it. */
export function useChangeMany() {
  const queries = useQueryClient();
  const controller = useRef<AbortController | undefined>(undefined);
  const [report, setReport] = useState(NO_REPORT);
  const { mutate, reset, data, error, isPending, variables } = useMutation({
    mutationFn: (request: ManyRequest) => {
      controller.current = new AbortController();
      return changeMany(request, controller.current.signal, setReport);
    },
    onSettled: async (_summary, _error, { isDryRun }) => {
      if (isDryRun) return;
      // A query's first request is not repeated while it is under way, and may have read accounts before the change.
      await queries.cancelQueries();
      await queries.invalidateQueries();
    },
  });
  useEffect(() => () => controller.current?.abort(), []);
  const begin = (request: ManyRequest) => {
    controller.current?.abort();
    setReport(NO_REPORT);
    mutate(request);
  };
  /** What is done so far stays so. */
  const stop = () => controller.current?.abort();
  const clear = () => {
    stop();
    reset();
  };
  return { begin, stop, clear, summary: data, error, isPending, request: variables, ...report };
}

export type ChangeMany = ReturnType<typeof useChangeMany>;

async function changeMany(
  { selection, edit, isDryRun, maxAccounts }: ManyRequest,
  signal: AbortSignal,
  onReport: (report: ManyReport) => void,
): Promise<ManySummary> {
  let report = NO_REPORT;
  const options = {
    dryRun: isDryRun,
    ...(maxAccounts !== undefined && { maxAccounts }),
    signal,
    // The lines about some hundred accounts come before each line with the progress.
    onProgress: (progress: ManyProgress) => {
      report = { ...report, progress };
      if (!signal.aborted) onReport(report);
    },
    onRejected: (rejection: Parameters<typeof withRejection>[1]) => {
      report = { ...report, rejected: withRejection(report.rejected, rejection) };
    },
    onAccount: (account: WouldChange) => {
      report = { ...report, examples: [...report.examples, account] };
    },
  };
  try {
    if (edit === null) return await client.deleteMany(selection, options);
    return await client.editMany(selection, edit, options);
  } catch (error) {
    if (signal.aborted) throw new ApiError(0, 'You have stopped it.');
    throw error instanceof AccountSyncError ? toApiError(error) : error;
  }
}

/** Status 409 for a request that ended early for good. */
function toApiError(error: AccountSyncError): ApiError {
  const { requestId, code } = error;
  const known = code && MESSAGES[code];
  if (error instanceof UnavailableError)
    return new ApiError(error.status ?? 0, known ?? LOST, requestId, [], code);
  if (!(error instanceof RefusedError)) return new ApiError(409, known ?? error.message, requestId, [], code);
  const errors = Object.entries(error.errors).flatMap(([pointer, details]) =>
    details.map((detail) => ({ pointer, detail })),
  );
  return new ApiError(error.status, known ?? error.messages[0] ?? error.message, requestId, errors, code);
}
