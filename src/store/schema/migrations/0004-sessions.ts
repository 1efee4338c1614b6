import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../../dialect.js';
import type { Tables } from '../tables.js';

/** Browser sessions. The indexes serve the removal of expired sessions, and of a key's oldest ones. */
export async function sessions(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  const text = dialect === 'sqlite' ? sql`text` : sql`text collate "C"`;
  await sql`
    create table session (
      hash ${text} primary key, tenant_id integer not null, key_id ${text} not null, created_at bigint not null,
      expires_at bigint not null
    )
  `.execute(db);
  await sql`create index session_by_expiry on session (expires_at)`.execute(db);
  await sql`create index session_by_key on session (key_id, created_at)`.execute(db);
}
