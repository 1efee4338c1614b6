import { type Account, applyPatch } from '../../domain/account.js';
import type { RecordResult, UpsertCounts, UpsertRequest } from '../requests.js';
import type { Change, ChangePointer } from '../schema/change-set.js';

/** An account as stored, with the places of its first and last change. */
export interface StoredAccount {
  readonly account: Account;
  readonly firstChange: number | null;
  readonly lastChange: ChangePointer | null;
}

export interface AccountWrite {
  readonly tenantId: number;
  readonly account: Account;
  /** Undefined if there is none. */
  readonly before: StoredAccount | undefined;
}

/** The changes of one request, in the order of its patches; empty if it changes nothing. */
export interface RequestChanges {
  readonly request: UpsertRequest;
  readonly changes: readonly Change[];
}

export interface AppliedGroup {
  /** In the order of the requests. */
  readonly counts: readonly UpsertCounts[];
  /** Each changed account once, in its state after the whole group. */
  readonly writes: readonly AccountWrite[];
  /** Each change: two requests that change one account have one each. */
  readonly history: readonly RequestChanges[];
}

type Loader = (tenantId: number, accountId: string) => StoredAccount | undefined;

/**
 * Computes the effect of a group of requests on stored accounts, without writing anything. Both databases, and dry
 * runs, use this one function, so that they cannot differ.
 * - Requests are applied in order, and each sees the changes of those before it.
 * - Each account is loaded once and written at most once, however many patches it has.
 * - Every change gets its own revision and history entry. A patch that changes nothing leaves neither.
 */
export function applyGroup(group: readonly UpsertRequest[], load: Loader): AppliedGroup {
  const accounts = new Map<string, { account: Account | undefined; before: StoredAccount | undefined }>();
  const writes = new Map<string, AccountWrite>();
  const history: RequestChanges[] = [];
  const counts = group.map((request) => {
    const count = { created: 0, updated: 0, unchanged: 0, deleted: 0 };
    const records: RecordResult[] | undefined = request.wantsRecords ? [] : undefined;
    const changed: Change[] = [];
    for (const patch of request.patches) {
      const { tenantId } = request;
      const key = accountKey(tenantId, patch.accountId);
      let known = accounts.get(key);
      if (known === undefined) {
        const before = load(tenantId, patch.accountId);
        known = { account: before?.account, before };
        accounts.set(key, known);
      }
      // The first change copies the stored account. After that `known.account` is our copy and may be mutated.
      const mayMutate = known.account !== known.before?.account;
      const { outcome, account, changes } = applyPatch(known.account, patch, request.at, mayMutate);
      count[outcome] += 1;
      records?.push({ outcome, changed: Object.keys(changes) });
      if (outcome === 'unchanged') continue;
      known.account = account;
      writes.set(key, { tenantId, account, before: known.before });
      const { accountId, revision } = account;
      changed.push({ accountId, revision, kind: outcome, isErased: outcome === 'deleted', changes });
    }
    history.push({ request, changes: changed });
    return records === undefined ? count : { ...count, records };
  });
  return { counts, writes: [...writes.values()], history };
}

/** Tells the accounts of a group apart. */
export function accountKey(tenantId: number, accountId: string): string {
  return `${tenantId} ${accountId}`;
}
