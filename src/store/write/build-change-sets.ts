import type { Account } from '../../domain/account.js';
import type { ChangePointer, ChangeSet } from '../schema/change-set.js';
import { ChangeSetBuilder } from '../schema/change-set-builder.js';
import { type AppliedGroup, accountKey, type StoredAccount } from './apply-group.js';

/** An account to store. */
export interface LinkedAccount {
  readonly tenantId: number;
  readonly account: Account;
  readonly firstChange: number | null;
  readonly lastChange: ChangePointer;
  readonly before: StoredAccount | undefined;
}

/** A deleted account whose values in earlier changes have to be erased. */
export interface Erasure {
  readonly tenantId: number;
  readonly accountId: string;
  /** The revision of the deletion. */
  readonly revision: number;
  readonly deletedAt: number;
  /** The change before the deletion. */
  readonly next: ChangePointer;
}

export interface BuiltGroup {
  readonly sets: readonly ChangeSet[];
  readonly accounts: readonly LinkedAccount[];
  readonly erasures: readonly Erasure[];
}

/**
 * Builds the change sets of a group. The changes of each account form a chain: the account points to its last change,
 * and each change to the one before. `nextSeq` returns the number of a new set.
 */
export function buildChangeSets({ history, writes }: AppliedGroup, nextSeq: () => number): BuiltGroup {
  const links = new Map<string, { first: number | null; last: ChangePointer | null }>();
  for (const { tenantId, account, before } of writes) {
    const { firstChange: first = null, lastChange: last = null } = before ?? {};
    links.set(accountKey(tenantId, account.accountId), { first, last });
  }
  const erasures = new Map<string, Erasure>();
  const sets = history.flatMap(({ request, changes }) => {
    if (changes.length === 0) return [];
    const { tenantId } = request;
    const builder = new ChangeSetBuilder(request, nextSeq);
    for (const change of changes) {
      const { accountId, revision, kind } = change;
      const key = accountKey(tenantId, accountId);
      const link = links.get(key) as { first: number | null; last: ChangePointer | null };
      if (kind === 'deleted' && link.last !== null) {
        erasures.set(key, { tenantId, accountId, revision, deletedAt: request.at, next: link.last });
      }
      link.last = builder.add(change, link.last);
      if (revision === 1) link.first = link.last.seq;
    }
    return builder.finish();
  });
  const accounts = writes.map(({ tenantId, account, before }) => {
    const { first, last } = links.get(accountKey(tenantId, account.accountId)) as {
      first: number | null;
      last: ChangePointer;
    };
    return { tenantId, account, before, firstChange: first, lastChange: last };
  });
  return { sets, accounts, erasures: [...erasures.values()] };
}
