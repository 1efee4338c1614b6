import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from './migrations/all-migrations.js';

const IS_AMONG = {
  sqlite: (rows: RawBuilder<unknown>) => sql<boolean>`rowid in (select rowid ${rows})`,
  // As a list: a join would read the whole table.
  postgres: (rows: RawBuilder<unknown>) => sql<boolean>`ctid = any(array(select ctid ${rows}))`,
} as const;

/** Whether a row is one of `rows` (`from … limit …`), by its place: whichever key its table has. */
export function isAmong(dialect: Dialect, rows: RawBuilder<unknown>): RawBuilder<boolean> {
  return IS_AMONG[dialect](rows);
}
