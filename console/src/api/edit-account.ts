import type { Account, AccountEdit, EditResult, HistoryEntry, HistoryPage } from '@account-sync/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call, callWithRequestId, encodePathSegment, isNotFound } from './call';

interface EditRequest {
  readonly edit: AccountEdit;
  /** The account is changed at this revision only; otherwise the error has the status 412. */
  readonly revision: number;
  /** Whether to store nothing, and only return what would change. */
  readonly isDryRun?: boolean;
}

export interface EditOutcome extends EditResult {
  /** Null if it is not known. */
  readonly requestId: string | null;
}

/** Edits the account, or shows what an edit would change. */
export function useEditAccount(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ edit, revision, isDryRun = false }: EditRequest): Promise<EditOutcome> => {
      const { body, requestId } = await callWithRequestId<EditResult>(`/accounts/${encodePathSegment(id)}`, {
        method: 'PATCH',
        parameters: { dry_run: isDryRun || undefined },
        headers: { 'If-Match': `"${revision}"` },
        body: edit,
      });
      return { ...body, requestId };
    },
    onSuccess: async ({ account }, { isDryRun = false }) => {
      if (isDryRun) return;
      // A request that is under way may have read the account before the edit.
      await queries.cancelQueries({ queryKey: ['account', id] });
      queries.setQueryData(['account', id], account);
      queries.invalidateQueries();
    },
    onError: (error) => {
      // The page behind the dialog shows what it did not know.
      if (isRevisionChanged(error) || isNotFound(error))
        queries.invalidateQueries({ queryKey: ['account', id] });
    },
  });
}

/** Whether the account has another revision than the one that was to be edited. */
export function isRevisionChanged(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'revision_changed';
}

const MAX_ENTRIES = 100;

/** What happened to an account since a revision. */
export interface LaterChanges {
  /** The account now. */
  readonly account: Account;
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** Whether there are older entries that are not among these. */
  readonly hasMore: boolean;
}

export function useLaterChanges(id: string) {
  return useMutation({
    mutationFn: async (revision: number): Promise<LaterChanges> => {
      const path = `/accounts/${encodePathSegment(id)}`;
      const account = await call<Account>(path);
      const parameters = { limit: MAX_ENTRIES };
      const { data } = await call<HistoryPage>(`${path}/history`, { parameters });
      // The account may have changed again between the two requests.
      const entries = data.filter((entry) => entry.revision > revision && entry.revision <= account.revision);
      return { account, entries, hasMore: entries.length < account.revision - revision };
    },
  });
}
