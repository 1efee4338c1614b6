import { type Account, applyPatch, type FieldChanges, type Outcome } from '../../domain/account.js';
import type { RecordResult, UpsertCounts, UpsertRequest } from '../requests.js';

export interface HistoryEntry {
  readonly request: UpsertRequest;
  readonly accountId: string;
  readonly revision: number;
  readonly changes: FieldChanges;
  /** Null for the usual case: revision 1 created the account, later ones updated it. */
  readonly kind: 'created' | 'deleted' | null;
}

export interface AccountWrite {
  readonly tenantId: number;
  readonly account: Account;
  /** The stored account; undefined if there is none. */
  readonly before: Account | undefined;
}

export interface AppliedGroup {
  /** In the order of the requests. */
  readonly counts: readonly UpsertCounts[];
  /** Each changed account once, in its state after the whole group. */
  readonly writes: readonly AccountWrite[];
  /** Each change: two requests that change one account leave two entries. */
  readonly history: readonly HistoryEntry[];
}

type Loader = (tenantId: number, accountId: string) => Account | undefined;

/**
 * Computes the effect of a group of requests on stored accounts, without writing anything. Both databases, and dry
 * runs, use this one function, so that they cannot differ.
 * - Requests are applied in order, and each sees the changes of those before it.
 * - Each account is loaded once and written at most once, however many patches it has.
 * - Every change gets its own revision and history entry. A patch that changes nothing leaves neither.
 */
export function applyGroup(group: readonly UpsertRequest[], load: Loader): AppliedGroup {
  const accounts = new Map<string, { account: Account | undefined; before: Account | undefined }>();
  const writes = new Map<string, AccountWrite>();
  const history: HistoryEntry[] = [];
  const counts = group.map((request) => {
    const count = { created: 0, updated: 0, unchanged: 0, deleted: 0 };
    const records: RecordResult[] | undefined = request.wantsRecords ? [] : undefined;
    for (const patch of request.patches) {
      const { tenantId } = request;
      const key = `${tenantId} ${patch.accountId}`;
      let known = accounts.get(key);
      if (known === undefined) {
        const account = load(tenantId, patch.accountId);
        known = { account, before: account };
        accounts.set(key, known);
      }
      // The first change copies the stored account. After that `known.account` is our copy and may be mutated.
      const mayMutate = known.account !== known.before;
      const { outcome, account, changes } = applyPatch(known.account, patch, request.at, mayMutate);
      count[outcome] += 1;
      records?.push({ outcome, changed: Object.keys(changes) });
      if (outcome === 'unchanged') continue;
      known.account = account;
      writes.set(key, { tenantId, account, before: known.before });
      const { accountId, revision } = account;
      history.push({ request, accountId, revision, changes, kind: storedKind(outcome, revision) });
    }
    return records === undefined ? count : { ...count, records };
  });
  return { counts, writes: [...writes.values()], history };
}

/** The kind to store: null for the usual ones, which `readKind` derives from the revision. */
function storedKind(outcome: Outcome, revision: number): HistoryEntry['kind'] {
  if (outcome === 'deleted') return outcome;
  return outcome === 'created' && revision > 1 ? outcome : null;
}
