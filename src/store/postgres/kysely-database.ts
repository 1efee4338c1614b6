import { Kysely, PostgresDialect } from 'kysely';
import type { Tables } from '../tables.js';
import type { Connections } from './connections.js';

/** Kysely over a pool of connections; destroying it ends them. */
export function kyselyOver(connections: Connections): Kysely<Tables> {
  return new Kysely({ dialect: new PostgresDialect({ pool: connections }) });
}
