/**
 * A position in the change feed of a tenant, after the change with this number: `commitOrder` first, then `seq`. On
 * PostgreSQL `commitOrder` is the number of a transaction, and `seq` orders the changes within it. On SQLite it stays
 * the same until a restore or a copy, and `seq` alone gives the order. The column in the database is called `turn`.
 */
export interface Position {
  readonly commitOrder: number;
  readonly seq: number;
}

/** Before the first change. */
export const BEGINNING: Position = { commitOrder: 0, seq: 0 };

/** After every change. */
export const LAST_POSITION: Position = { commitOrder: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

export function comparePositions(one: Position, other: Position): number {
  return one.commitOrder - other.commitOrder || one.seq - other.seq;
}
