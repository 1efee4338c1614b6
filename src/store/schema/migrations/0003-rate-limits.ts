import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../../dialect.js';
import type { Tables } from '../tables.js';

/**
 * The requests that each key has left in a minute. The table is unlogged: after a crash the limit starts again, which
 * does no harm. SQLite does not need it, because its only server counts in memory.
 */
export async function rateLimits(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  if (dialect === 'sqlite') return;
  await sql`
    create unlogged table rate_limit (
      minute bigint not null,
      key_id text collate "C" not null,
      remaining integer not null,
      granted integer not null,
      primary key (minute, key_id)
    )
  `.execute(db);
}
