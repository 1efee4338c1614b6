import { type RawBuilder, sql } from 'kysely';
import { USER_ID_PREFIX } from '../../domain/user.js';

/** Condition on the column of a sender: a user has sent it. */
export function isByUser(column: string): RawBuilder<boolean> {
  return sql`substr(${sql.ref(column)}, 1, ${sql.lit(USER_ID_PREFIX.length)}) = ${sql.lit(USER_ID_PREFIX)}`;
}
