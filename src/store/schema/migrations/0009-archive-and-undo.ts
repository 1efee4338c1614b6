import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../../dialect.js';
import type { Tables } from '../tables.js';

/** Accounts that are archived, and runs that undo others. */
export async function archiveAndUndo(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  const text = dialect === 'sqlite' ? sql`text` : sql`text collate "C"`;
  const add = (table: string, column: string, type: ReturnType<typeof sql>) =>
    sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${type}`.execute(db);
  const count = sql`bigint not null default 0`;
  await add('account', 'archived_at', sql`bigint`);
  // Only archived accounts have an entry, so that others cost nothing.
  await sql`
    create index account_archived on account (tenant_id, account_id) where archived_at is not null`.execute(
    db,
  );
  for (const column of ['archived', 'restored']) {
    await add('change_set', column, sql`integer not null default 0`);
    await add('period_count', column, count);
    await add('run', column, count);
  }
  await add('tally', 'archived', count);
  await add('run', 'undoes', sql`bigint`);
  await add('run', 'undoes_request', text);
  await add('run', 'is_forced', sql`integer not null default 0`);
  await add('run', 'undo_turn', sql`bigint`);
  await add('run', 'undo_seq', sql`bigint`);
  for (const column of ['examined', 'to_examine', 'conflicts']) await add('run', column, count);
  await sql`create index run_undoes on run (tenant_id, undoes, id) where undoes is not null`.execute(db);
  // A run is undone by one process at a time.
  await sql`
    create unique index run_undoing on run (tenant_id, undoes) where state = 'open' and undoes is not null`.execute(
    db,
  );
}
