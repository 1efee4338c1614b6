import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../../dialect.js';
import type { Tables } from '../tables.js';

/** Which accounts sources push, and runs that ask which are missing. */
export async function mirror(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  const text = dialect === 'sqlite' ? sql`text` : sql`text collate "C"`;
  await sql`
    create table pushed (
      tenant_id integer not null, source ${text} not null, account_id ${text} not null, run_id bigint not null,
      primary key (tenant_id, source, account_id)
    )`.execute(db);
  const add = (table: string, column: string, type: ReturnType<typeof sql>) =>
    sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${type}`.execute(db);
  await add('source', 'mirror_run', sql`bigint`);
  await add('source', 'tracked_from', sql`bigint`);
  await add('source', 'tracked_since', sql`bigint`);
  await add('source', 'is_seeded', sql`integer not null default 0`);
  await add('run', 'missing', text);
  await add('run', 'missing_accounts', sql`bigint`);
  await add('run', 'missing_of', sql`bigint`);
}
