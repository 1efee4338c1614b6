import type { Connection } from './connection.js';
import type { Change, ChangePage } from './wire.js';

export const CHANGES_PATH = 'api/v2/changes';

export interface ReadOptions {
  /** The cursor of the last processed change. Without it, reading starts with the first change. */
  readonly after?: string | undefined;
  /** Instead of `after`: starts with this number of latest changes. */
  readonly last?: number | undefined;
  /** Only changes of this run, source, key, user or request. */
  readonly run?: string | undefined;
  readonly source?: string | undefined;
  readonly keyId?: string | undefined;
  readonly userId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the feed up to its current end. */
export async function* readChanges(
  connection: Connection,
  { after, last, ...options }: ReadOptions,
): AsyncGenerator<Change> {
  for (let cursor = after, first = last; ; first = undefined) {
    const page = await changePage(connection, { after: cursor, last: first, ...options });
    yield* page.data;
    // An empty page can come before the end. At the end, `next` is the cursor of the request.
    if (page.data.length === 0 && page.next === cursor) return;
    cursor = page.next;
  }
}

export function changePage(
  connection: Connection,
  { after, last, run, source, keyId, userId, requestId, signal }: ReadOptions,
): Promise<ChangePage> {
  const limit = last === undefined ? 1000 : undefined;
  const sentBy = { run_id: run, source, key_id: keyId, user_id: userId, request_id: requestId };
  return connection.json({ path: CHANGES_PATH, query: { after, last, limit, ...sentBy }, signal });
}
