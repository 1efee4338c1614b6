import { Kysely, PostgresDialect } from 'kysely';
import type { Tables } from '../schema/tables.js';
import type { ConnectionPools } from './connection-pools.js';

/** Kysely over connection pools; destroying it ends the pools. */
export function kyselyOver(connections: ConnectionPools): Kysely<Tables> {
  return new Kysely({ dialect: new PostgresDialect({ pool: connections }) });
}
