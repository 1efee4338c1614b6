import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../../dialect.js';
import type { Tables } from '../tables.js';

/**
 * What each key may still do in a minute. Not logged: after a crash a limit begins anew, which harms nobody. Not on
 * SQLite, where one process serves and has it in mind.
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
