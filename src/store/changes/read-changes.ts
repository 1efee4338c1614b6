import type { Kysely } from 'kysely';
import { type ChangePointer, decodeLine, lineAt, type StoredChange, setOf } from '../schema/change-set.js';
import type { Tables } from '../schema/tables.js';
import { isAmongSets } from './sets-after.js';

/** A change, and which request of which run has made it. */
export interface ChangeByRequest extends StoredChange {
  readonly requestId: string;
  readonly runId: number | null;
}

/** A set has up to 256 KiB, a few are larger. */
const SETS_AT_A_TIME = 16;

/** Reads changes of many accounts, in the order of the pointers; undefined for those that were removed. */
export async function readChanges(
  db: Kysely<Tables>,
  tenantId: number,
  pointers: readonly ChangePointer[],
): Promise<(ChangeByRequest | undefined)[]> {
  const found = new Map<ChangePointer, ChangeByRequest>();
  // Accounts that were written together share a set, which is read once.
  const bySet = new Map<number, ChangePointer[]>();
  for (const pointer of pointers) {
    const others = bySet.get(setOf(pointer.seq));
    if (others === undefined) bySet.set(setOf(pointer.seq), [pointer]);
    else others.push(pointer);
  }
  const seqs = [...bySet.keys()];
  for (let at = 0; at < seqs.length; at += SETS_AT_A_TIME) {
    const sets = await db
      .selectFrom('change_set')
      .select(['seq', 'request_id', 'run_id', 'entries'])
      .where(isAmongSets(tenantId, seqs.slice(at, at + SETS_AT_A_TIME)))
      .execute();
    for (const { seq, request_id: requestId, run_id: runId, entries } of sets) {
      for (const pointer of bySet.get(seq) ?? []) {
        const line = lineAt(pointer, entries);
        if (line !== undefined) found.set(pointer, { ...decodeLine(line), requestId, runId });
      }
    }
  }
  return pointers.map((pointer) => found.get(pointer));
}
