import type { Connection } from './connection.js';
import type { Change, ChangePage } from './wire.js';

export const CHANGES_PATH = 'api/v2/changes';

export interface ReadOptions {
  /** The cursor of the last change that was seen; from the first one where it is left out. */
  readonly after?: string | undefined;
  /** Begins with so many of the latest, in place of `after`. */
  readonly last?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The feed up to its present end. */
export async function* readChanges(
  connection: Connection,
  { after, last, signal }: ReadOptions,
): AsyncGenerator<Change> {
  for (let cursor = after, first = last; ; first = undefined) {
    const page = await changePage(connection, { after: cursor, last: first, signal });
    yield* page.data;
    // A page may be empty before the end; one that leads nowhere is the end.
    if (page.data.length === 0 && page.next === cursor) return;
    cursor = page.next;
  }
}

export function changePage(
  connection: Connection,
  { after, last, signal }: ReadOptions,
): Promise<ChangePage> {
  const limit = last === undefined ? 1000 : undefined;
  return connection.json({ path: CHANGES_PATH, query: { after, last, limit }, signal });
}
