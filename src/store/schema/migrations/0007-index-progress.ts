import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.js';

/** How far the build of an attribute's index has come, so that it can be shown, and continued by another process. */
export async function indexProgress(db: Kysely<Tables>): Promise<void> {
  await sql`alter table attribute add column index_after text not null default ''`.execute(db);
  await sql`alter table attribute add column index_accounts integer not null default 0`.execute(db);
}
