import type { Kysely } from 'kysely';
import type { Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';

/** The positions of the first and the last set of a run. Changes of the last second may be missing. */
export interface RunRange {
  readonly first: Position;
  readonly last: Position;
}

/** Undefined if the run has changed nothing yet. */
export async function rangeOfRun(
  db: Kysely<Tables>,
  tenantId: number,
  runId: number,
): Promise<RunRange | undefined> {
  const run = await db
    .selectFrom('run')
    .select(['first_turn', 'first_seq', 'last_turn', 'last_seq'])
    .where('id', '=', runId)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  const { first_turn = null, first_seq = null, last_turn = null, last_seq = null } = run ?? {};
  if (first_turn === null || first_seq === null || last_turn === null || last_seq === null) return undefined;
  return {
    first: { commitOrder: first_turn, seq: first_seq },
    last: { commitOrder: last_turn, seq: last_seq },
  };
}
