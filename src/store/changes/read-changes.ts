import type { Kysely } from 'kysely';
import type { FieldChanges } from '../../domain/account.js';
import { sizeOf } from '../bounded-read.js';
import { type ChangePointer, decodeLine, headOf, lineAt, setOf } from '../schema/change-set.js';
import type { Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';
import { isAmongSets } from './sets-after.js';

/** Which request of which run has made a change, and where its set is in the feed. */
export interface ChangeOrigin {
  readonly requestId: string;
  readonly runId: number | null;
  readonly setPosition: Position;
}

/** A change without its values. */
export interface ChangeHead extends ChangeOrigin, ChangePointer, ReturnType<typeof headOf> {
  /** Only of wanted changes: the values of others may be large. */
  readonly changes?: FieldChanges;
}

/** Bytes that are read at once. A larger set is read alone. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** Reads changes of many accounts, in the order of the pointers; undefined for those that were removed. */
export async function readChanges(
  db: Kysely<Tables>,
  tenantId: number,
  pointers: readonly ChangePointer[],
  isWanted: (origin: ChangeOrigin) => boolean,
): Promise<(ChangeHead | undefined)[]> {
  const found = new Map<ChangePointer, ChangeHead>();
  // Accounts that were written together share a set, which is read once.
  const bySet = new Map<number, ChangePointer[]>();
  for (const pointer of pointers) {
    const others = bySet.get(setOf(pointer.seq));
    if (others === undefined) bySet.set(setOf(pointer.seq), [pointer]);
    else others.push(pointer);
  }
  const sizes = await db
    .selectFrom('change_set')
    .select(['seq', sizeOf('entries').as('size')])
    .where(isAmongSets(tenantId, [...bySet.keys()]))
    .execute();
  for (const piece of inPieces(sizes)) {
    const sets = await db
      .selectFrom('change_set')
      .select(['seq', 'turn', 'request_id', 'run_id', 'entries'])
      .where(isAmongSets(tenantId, piece))
      .execute();
    for (const { seq, turn, request_id: requestId, run_id: runId, entries } of sets) {
      const origin = { requestId, runId, setPosition: { commitOrder: turn, seq } };
      for (const pointer of bySet.get(seq) ?? []) {
        const line = lineAt(pointer, entries);
        if (line === undefined) continue;
        const change = isWanted(origin) ? decodeLine(line) : { ...pointer, ...headOf(line.text) };
        found.set(pointer, { ...change, ...origin });
      }
    }
  }
  return pointers.map((pointer) => found.get(pointer));
}

function* inPieces(sizes: readonly { readonly seq: number; readonly size: number }[]): Generator<number[]> {
  let piece: number[] = [];
  let bytes = 0;
  for (const { seq, size } of sizes) {
    if (piece.length > 0 && bytes + size > PIECE_BYTES) {
      yield piece;
      piece = [];
      bytes = 0;
    }
    piece.push(seq);
    bytes += size;
  }
  if (piece.length > 0) yield piece;
}
