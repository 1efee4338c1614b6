import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../../dialect.js';
import type { Tables } from '../tables.js';

/** Attributes that one source owns, and runs that only create or only update. */
export async function ownershipAndModes(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  const text = dialect === 'sqlite' ? sql`text` : sql`text collate "C"`;
  const add = (table: string, column: string, type: ReturnType<typeof sql>) =>
    sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${type}`.execute(db);
  await add('attribute', 'owner', text);
  await add('attribute', 'others', text);
  await add('run', 'mode', sql`${text} not null default 'upsert'`);
  await add('run', 'skipped', sql`bigint not null default 0`);
  await add('run', 'kept', sql`bigint not null default 0`);
}
