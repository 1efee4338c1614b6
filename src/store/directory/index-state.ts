import type { Transaction } from 'kysely';
import type { Tables } from '../tables.js';

/** What `attribute.indexed` says; every other number is that of a build under way. */
export const NO_INDEX = 0;
export const READY = 2;

/**
 * Within `changeConfiguration`, whose version makes the number of a build: no two builds have the same. So a build that
 * is under way while its attribute stops being indexed, and becomes indexed again, notices that it is outdated.
 */
export async function nextIndexState(
  db: Transaction<Tables>,
  stored: number,
  isWanted: boolean | undefined,
): Promise<number> {
  if (isWanted === undefined) return stored;
  if (!isWanted) return NO_INDEX;
  if (stored !== NO_INDEX) return stored;
  const { version } = await db.selectFrom('configuration').select('version').executeTakeFirstOrThrow();
  return READY + version;
}
