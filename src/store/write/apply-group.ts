import { type Account, applyPatch } from '../../domain/account.js';
import {
  noCounts,
  type PatchConflict,
  type RecordResult,
  type UpsertCounts,
  type UpsertRequest,
} from '../requests.js';
import type { Change, ChangePointer } from '../schema/change-set.js';

/** An account as stored, with the places of its first and last change. */
export interface StoredAccount {
  readonly account: Account;
  readonly firstChange: number | null;
  readonly lastChange: ChangePointer | null;
}

/** An account that a group changes, in its state after the changes so far. */
export interface ChangedAccount<Stored extends StoredAccount = StoredAccount> {
  readonly tenantId: number;
  account: Account;
  /** Undefined if there is none. */
  readonly before: Stored | undefined;
  /** `buildChangeSets` sets these two. */
  firstChange: number | null;
  lastChange: ChangePointer | null;
}

/** One change, and its account. */
export interface TargetedChange extends Change {
  readonly target: ChangedAccount;
}

/** The changes of one request, in the order of its patches; empty if it changes nothing. */
export interface RequestChanges {
  readonly request: UpsertRequest;
  readonly changes: readonly TargetedChange[];
}

export interface AppliedGroup<Stored extends StoredAccount = StoredAccount> {
  /** In the order of the requests. */
  readonly counts: readonly UpsertCounts[];
  /** Each changed account once, in its state after the whole group. */
  readonly accounts: readonly ChangedAccount<Stored>[];
  /** Each change: two requests that change one account have one each. */
  readonly history: readonly RequestChanges[];
}

type Loader<Stored> = (tenantId: number, accountId: string) => Stored | undefined;

/**
 * Computes the effect of a group of requests on stored accounts, without writing anything. Both databases, and dry
 * runs, use this one function, so that they cannot differ.
 * - Requests are applied in order, and each sees the changes of those before it.
 * - Each account is loaded once and written at most once, however many patches it has.
 * - Every change gets its own revision and history entry. A patch that changes nothing leaves neither.
 */
export function applyGroup<Stored extends StoredAccount>(
  group: readonly UpsertRequest[],
  load: Loader<Stored>,
): AppliedGroup<Stored> {
  const known = new Map<
    string,
    { before: Stored | undefined; changed: ChangedAccount<Stored> | undefined }
  >();
  const accounts: ChangedAccount<Stored>[] = [];
  const history: RequestChanges[] = [];
  const counts = group.map((request) => {
    const { tenantId, at } = request;
    const count = noCounts();
    const records: RecordResult[] | undefined = request.wantsRecords ? [] : undefined;
    const conflicts: PatchConflict[] = [];
    const changed: TargetedChange[] = [];
    let index = -1;
    for (const patch of request.patches) {
      index += 1;
      const key = accountKey(tenantId, patch.accountId);
      let state = known.get(key);
      if (state === undefined) {
        state = { before: load(tenantId, patch.accountId), changed: undefined };
        known.set(key, state);
      }
      const { before } = state;
      const current = state.changed?.account ?? before?.account;
      // The first change copies the stored account. After that the account is our copy and may be mutated.
      const result = applyPatch(current, patch, at, state.changed !== undefined);
      const { outcome, account, changes } = result;
      count[outcome] += 1;
      records?.push({ outcome, changed: Object.keys(changes) });
      if (result.conflicts !== undefined)
        for (const conflict of result.conflicts) conflicts.push({ index, ...conflict });
      if (outcome === 'unchanged') continue;
      if (state.changed === undefined) {
        const { firstChange = null, lastChange = null } = before ?? {};
        state.changed = { tenantId, account, before, firstChange, lastChange };
        accounts.push(state.changed);
      } else state.changed.account = account;
      const { accountId, revision } = account;
      const target = state.changed;
      const isErased = outcome === 'deleted';
      const wasArchived = isErased && current?.archivedAt !== null;
      changed.push({ target, accountId, revision, kind: outcome, isErased, wasArchived, changes });
    }
    history.push({ request, changes: changed });
    return { ...count, ...(records && { records }), ...(conflicts.length > 0 && { conflicts }) };
  });
  return { counts, accounts, history };
}

/** Tells the accounts of a group apart. */
export function accountKey(tenantId: number, accountId: string): string {
  return `${tenantId} ${accountId}`;
}
