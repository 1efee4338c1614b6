import { type Account, applyPatch, type FieldChanges, type Outcome } from '../../domain/account.js';
import type { RecordResult, UpsertCounts, UpsertRequest } from '../requests.js';

export interface HistoryEntry {
  readonly request: UpsertRequest;
  readonly accountId: string;
  readonly revision: number;
  readonly changes: FieldChanges;
  /** Only where the revision does not tell. */
  readonly kind: 'created' | 'deleted' | null;
}

export interface AccountWrite {
  readonly tenantId: number;
  readonly account: Account;
  /** As it is stored; undefined where it is not. */
  readonly before: Account | undefined;
}

export interface AppliedGroup {
  /** In the order of the requests. */
  readonly counts: readonly UpsertCounts[];
  /** Each account that changed, once, as it is after the whole group. */
  readonly writes: readonly AccountWrite[];
  /** Each change, so that two requests for one account leave two entries. */
  readonly history: readonly HistoryEntry[];
}

type Loader = (tenantId: number, accountId: string) => Account | undefined;

/** What a group of requests does to the accounts that `load` finds: the same on every database. */
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
      const isOurs = known.account !== known.before;
      const { outcome, account, changes } = applyPatch(known.account, patch, request.at, isOurs);
      count[outcome] += 1;
      records?.push({ outcome, changed: Object.keys(changes) });
      if (outcome === 'unchanged') continue;
      known.account = account;
      writes.set(key, { tenantId, account, before: known.before });
      const { accountId, revision } = account;
      history.push({ request, accountId, revision, changes, kind: unusualKind(outcome, revision) });
    }
    return records === undefined ? count : { ...count, records };
  });
  return { counts, writes: [...writes.values()], history };
}

function unusualKind(outcome: Outcome, revision: number): HistoryEntry['kind'] {
  if (outcome === 'deleted') return outcome;
  return outcome === 'created' && revision > 1 ? outcome : null;
}
