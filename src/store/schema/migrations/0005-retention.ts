import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.js';

/** How long a tenant keeps its history and its rejections, and the position of the pass that removes old history. */
export async function retention(db: Kysely<Tables>): Promise<void> {
  await sql`alter table tenant add column history_days integer`.execute(db);
  await sql`alter table tenant add column rejection_days integer`.execute(db);
  await sql`
    create table pruning (
      tenant_id integer not null primary key, days integer not null, turn bigint not null, seq bigint not null,
      next_at bigint not null
    )
  `.execute(db);
}
