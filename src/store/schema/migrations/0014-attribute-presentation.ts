import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../../dialect.js';
import type { Tables } from '../tables.js';

/** How people see an attribute: its label, description, unit, place and group. */
export async function attributePresentation(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  const text = dialect === 'sqlite' ? sql`text` : sql`text collate "C"`;
  const add = (column: string, type: ReturnType<typeof sql>) =>
    sql`alter table attribute add column ${sql.ref(column)} ${type}`.execute(db);
  await add('label', text);
  await add('description', text);
  await add('unit', text);
  await add('position', sql`integer`);
  await add('group_name', text);
}
