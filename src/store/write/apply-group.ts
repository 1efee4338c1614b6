import {
  type Account,
  type AccountPatch,
  applyPatch,
  fitsMode,
  refusedFields,
} from '../../domain/account.js';
import {
  noCounts,
  type PatchConflict,
  type RecordResult,
  type RefusedPatch,
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
  const known = new Map<string, AccountState<Stored>>();
  const stateOf = (tenantId: number, accountId: string): AccountState<Stored> => {
    const key = accountKey(tenantId, accountId);
    let state = known.get(key);
    if (state === undefined) {
      state = { before: load(tenantId, accountId), changed: undefined };
      known.set(key, state);
    }
    return state;
  };
  const accounts: ChangedAccount<Stored>[] = [];
  const history: RequestChanges[] = [];
  const counts = group.map((request) => {
    const { tenantId, at, mode } = request;
    const count = noCounts();
    const refused = refusedPatches(request, (patch) => currentOf(stateOf(tenantId, patch.accountId)));
    if (refused.length > 0 && !request.isIndependent) {
      history.push({ request, changes: [] });
      return { ...count, refused };
    }
    const refusedAt =
      refused.length === 0 ? undefined : new Map(refused.map(({ index, fields }) => [index, fields]));
    let kept: Record<string, number> | undefined;
    const records: RecordResult[] | undefined = request.wantsRecords ? [] : undefined;
    const conflicts: PatchConflict[] = [];
    const changed: TargetedChange[] = [];
    let index = -1;
    for (const patch of request.patches) {
      index += 1;
      const state = stateOf(tenantId, patch.accountId);
      const { before } = state;
      const current = currentOf(state);
      const refusedHere = refusedAt?.get(index);
      if (refusedHere !== undefined) {
        records?.push({ outcome: 'refused', changed: [], refused: refusedHere });
        continue;
      }
      if (mode !== undefined && !fitsMode(mode, current)) {
        count.skipped += 1;
        records?.push({ outcome: 'skipped', changed: [] });
        continue;
      }
      // The first change copies the stored account. After that the account is our copy and may be mutated.
      const result = applyPatch(current, patch, at, state.changed !== undefined);
      const { outcome, account, changes } = result;
      count[outcome] += 1;
      records?.push({ outcome, changed: Object.keys(changes), kept: result.kept });
      if (result.kept !== undefined) {
        kept ??= {};
        for (const name of result.kept) kept[name] = (kept[name] ?? 0) + 1;
      }
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
    return {
      ...count,
      ...(records && { records }),
      ...(conflicts.length > 0 && { conflicts }),
      ...(refused.length > 0 && { refused }),
      ...(kept && { kept }),
    };
  });
  return { counts, accounts, history };
}

interface AccountState<Stored extends StoredAccount> {
  readonly before: Stored | undefined;
  changed: ChangedAccount<Stored> | undefined;
}

function currentOf({ before, changed }: AccountState<StoredAccount>): Account | undefined {
  return changed?.account ?? before?.account;
}

const NONE_REFUSED: readonly RefusedPatch[] = [];

/**
 * The patches that change fields of other sources. No patch of the request changes these fields, so the state before the
 * request tells it for all.
 */
function refusedPatches(
  { patches }: UpsertRequest,
  currentOfPatch: (patch: AccountPatch) => Account | undefined,
): readonly RefusedPatch[] {
  if (patches.every(({ owned }) => owned === undefined)) return NONE_REFUSED;
  return patches.flatMap((patch, index) => {
    const fields = patch.owned === undefined ? [] : refusedFields(currentOfPatch(patch), patch);
    return fields.length === 0 ? [] : { index, fields };
  });
}

/** Tells the accounts of a group apart. */
export function accountKey(tenantId: number, accountId: string): string {
  return `${tenantId} ${accountId}`;
}
