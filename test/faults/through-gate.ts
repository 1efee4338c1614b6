import pg from 'pg';
import { vi } from 'vitest';

const WAITING = `
  select count(*)::int as waiting from pg_locks where relation = 'account'::regclass and not granted`;

/** Holds the writes of `work` back until so many sessions have one to make, so that they begin at the same moment. */
export async function throughGate<T>(database: string, sessions: number, work: () => Promise<T>): Promise<T> {
  const gate = new pg.Client({ connectionString: database });
  await gate.connect();
  try {
    // Readers pass.
    await gate.query('begin; lock table account in share mode');
    const working = work();
    const isCrowded = async () => (await gate.query(WAITING)).rows[0].waiting >= sessions;
    await vi.waitUntil(isCrowded, { timeout: 30_000, interval: 5 });
    await gate.query('commit');
    return await working;
  } finally {
    await gate.end();
  }
}
