import pg from 'pg';
import { vi } from 'vitest';

const WAITING = `
  select count(*)::int as waiting from pg_locks where relation = 'account'::regclass and not granted`;

/** Blocks the writes of `work` until `sessions` sessions wait to write, so that they start at the same time. */
export async function startWritesTogether<T>(
  database: string,
  sessions: number,
  work: () => Promise<T>,
): Promise<T> {
  const blocker = new pg.Client({ connectionString: database });
  await blocker.connect();
  try {
    // A share lock blocks writers, not readers.
    await blocker.query('begin; lock table account in share mode');
    const working = work();
    const areAllWaiting = async () => (await blocker.query(WAITING)).rows[0].waiting >= sessions;
    await vi.waitUntil(areAllWaiting, { timeout: 30_000, interval: 5 });
    await blocker.query('commit');
    return await working;
  } finally {
    await blocker.end();
  }
}
