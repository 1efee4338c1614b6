import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../tables.js';

/** One transaction that changes what other processes cache: their caches see it by the version. */
export function changeConfiguration<T>(
  db: Kysely<Tables>,
  work: (db: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    // First of all: it takes the write lock, so that nothing read below can be outdated when it is written.
    await transaction
      .updateTable('configuration')
      .set((set) => ({ version: set('version', '+', 1) }))
      .execute();
    return work(transaction);
  });
}
