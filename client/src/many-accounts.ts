import type { CallOptions, Connection } from './connection.js';
import { parseJson } from './connection.js';
import { AccountSyncError, UnavailableError } from './errors.js';
import { NDJSON } from './import-response.js';
import { receiveLines } from './receive-lines.js';
import { withRetries } from './retries.js';
import type {
  AccountEdit,
  AccountSelection,
  ManyProgress,
  ManyRejection,
  ManySummary,
  WouldChange,
} from './wire.js';

export interface ManyOptions extends CallOptions {
  /** Returns what would be done, and stores nothing. */
  readonly dryRun?: boolean;
  /** Stops before more accounts than this: the number that a dry run has found. */
  readonly maxAccounts?: number;
  readonly onProgress?: (progress: ManyProgress) => void;
  /** Called for each account that is not changed although it is selected. */
  readonly onRejected?: (rejection: ManyRejection) => void;
  /** In a dry run: called for the first accounts that would change. */
  readonly onAccount?: (account: WouldChange) => void;
}

type Line =
  | { readonly progress: ManyProgress }
  | { readonly rejected: ManyRejection }
  | { readonly account: WouldChange }
  | { readonly summary: ManySummary };

/**
 * Edits or deletes many accounts. It is sent again only if the server has not begun: an edit that was interrupted can be
 * repeated by the caller, and is then another run.
 */
export function changeMany(
  connection: Connection,
  action: 'edit' | 'delete',
  selection: AccountSelection,
  set: AccountEdit | undefined,
  options: ManyOptions,
): Promise<ManySummary> {
  const { dryRun: dry_run, maxAccounts: max_accounts, signal } = options;
  const path = `api/v2/accounts/${action}`;
  const body = JSON.stringify({ ...selection, set, dry_run, max_accounts });
  const call = {
    method: 'POST',
    path,
    accept: NDJSON,
    contentType: 'application/json',
    body,
    signal,
  } as const;
  let mayRepeat = true;
  const attempt = () =>
    receiveLines(connection, call, async (send) => {
      const lines = await send().catch((error) => {
        // Without a status, it may have begun.
        mayRepeat = error instanceof UnavailableError && error.status !== undefined;
        throw error;
      });
      mayRepeat = false;
      return readLines(lines, path, options);
    });
  return withRetries(attempt, { ...connection.retryPolicy, signal, mayRepeat: () => mayRepeat });
}

async function readLines(
  lines: AsyncIterable<string>,
  path: string,
  { onProgress, onRejected, onAccount }: ManyOptions,
): Promise<ManySummary> {
  for await (const text of lines) {
    const line: Line = parseJson(text, `POST /${path}`);
    if ('progress' in line) onProgress?.(line.progress);
    else if ('rejected' in line) onRejected?.(line.rejected);
    else if ('account' in line) onAccount?.(line.account);
    else return completed(line.summary);
  }
  throw new UnavailableError('The response ended before its summary. Send the request again for the rest.');
}

function completed(summary: ManySummary): ManySummary {
  const { is_complete, code, problem, run_id } = summary;
  if (is_complete) return summary;
  const details = { code: code ?? undefined };
  const where = run_id === null ? '' : ` What was done is in run ${run_id}, which can be undone.`;
  const message = `${problem ?? 'It is not complete, and no reason was given.'}${where}`;
  const isTemporary = code === 'edit_interrupted' || code === 'internal_error';
  throw isTemporary ? new UnavailableError(message, details) : new AccountSyncError(message, details);
}
