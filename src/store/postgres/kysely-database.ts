import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Tables } from '../tables.js';
import type { Connections } from './connections.js';

/** A transaction that began earlier may commit later; none that is below this number is still under way. */
export const HORIZON = sql<number>`
  (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + feed_turn from configuration)`;

/** Kysely over a pool of connections; destroying it ends them. */
export function kyselyOver(connections: Connections): Kysely<Tables> {
  return new Kysely({ dialect: new PostgresDialect({ pool: connections }) });
}
