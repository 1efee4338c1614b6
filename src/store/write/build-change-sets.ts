import type { ChangePointer, ChangeSet } from '../schema/change-set.js';
import { ChangeSetBuilder } from '../schema/change-set-builder.js';
import type { ChangedAccount, RequestChanges } from './apply-group.js';

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

export interface BuiltHistory {
  readonly sets: readonly ChangeSet[];
  readonly erasures: readonly Erasure[];
}

/**
 * Builds the change sets of a group. The changes of each account form a chain: the account points to its last change,
 * and each change to the one before. This function sets the pointers of the accounts. `nextSeq` returns the number of a
 * new set.
 */
export function buildChangeSets(history: readonly RequestChanges[], nextSeq: () => number): BuiltHistory {
  const erasures = new Map<ChangedAccount, Erasure>();
  const sets = history.flatMap(({ request, changes }) => {
    if (changes.length === 0) return [];
    const builder = new ChangeSetBuilder(request, nextSeq);
    for (const change of changes) {
      const { target, accountId, revision, kind } = change;
      const previous = target.lastChange;
      target.lastChange = builder.add(change, previous);
      if (revision === 1) target.firstChange = target.lastChange.seq;
      if (kind === 'deleted' && previous !== null) {
        const { tenantId, at: deletedAt } = request;
        erasures.set(target, { tenantId, accountId, revision, deletedAt, next: previous });
      }
    }
    return builder.finish();
  });
  return { sets, erasures: [...erasures.values()] };
}
