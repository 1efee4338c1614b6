import { accountPath } from './account-path.js';
import { type CallOptions, type Connection, parseJson } from './connection.js';
import { RefusedError } from './errors.js';
import type { Account, AccountEdit, EditResult, HistoryEntry, Page } from './wire.js';

export interface EditOptions extends CallOptions {
  /** The revision of the account as it was read, so that no later change is overwritten; `any` for whatever it is. */
  readonly revision: number | 'any';
  /** Returns what the edit would change, and stores nothing. */
  readonly dryRun?: boolean;
  /** The id of an open run, from `openRun`. Without it the server chooses the run. */
  readonly run?: string;
}

/**
 * Edits an account. After a lost connection the request is sent again, and its own first attempt may have changed the
 * revision by then: whether it has is found in the history, by the request id.
 */
export async function editAccount(
  connection: Connection,
  id: string,
  edit: AccountEdit,
  { revision, dryRun, run, signal }: EditOptions,
): Promise<EditResult> {
  const requestId = newRequestId();
  const call = {
    method: 'PATCH',
    path: accountPath(id),
    query: { dry_run: dryRun },
    headers: { 'if-match': revision === 'any' ? '*' : `"${revision}"`, 'x-request-id': requestId },
    contentType: 'application/json',
    body: JSON.stringify(edit),
    run,
    signal,
  } as const;
  try {
    return await connection.json<EditResult>(call);
  } catch (error) {
    const isChanged = error instanceof RefusedError && error.code === 'revision_changed';
    const stored = isChanged ? await findStored(connection, id, requestId, signal) : undefined;
    if (stored === undefined) throw error;
    return stored;
  }
}

/** The result of an edit that was stored although its response was lost. The account is as it is now. */
async function findStored(
  connection: Connection,
  id: string,
  requestId: string,
  signal: AbortSignal | undefined,
): Promise<EditResult | undefined> {
  const history = await connection.json<Page<HistoryEntry>>({ path: accountPath(id, '/history'), signal });
  const own = history.data.find(({ request_id }) => request_id === requestId);
  if (own === undefined) return undefined;
  const account = await connection.send({ path: accountPath(id), signal }, async (response) => {
    const read: Account = parseJson(await response.text(), 'GET /api/v2/accounts');
    return read;
  });
  const outcome = own.kind as EditResult['outcome'];
  return { outcome, account, changes: own.changes, kept: [], run_id: own.run_id, dry_run: false };
}

/** `crypto.randomUUID` does not exist on pages without TLS. */
function newRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
