import { parseDatabaseUrl } from '../database-url.js';
import type { DatabaseEnd } from './copy-database.js';

/** Opens one side of a copy; rejects with `StoreUnusable` where it is served from, with `MissingDatabase` where it must exist and does not. */
export async function openEnd(database: string, { mustExist }: { mustExist: boolean }): Promise<DatabaseEnd> {
  const address = parseDatabaseUrl(database);
  if (address.kind === 'sqlite') {
    const { openSqliteEnd } = await import('./sqlite-endpoint.js');
    return openSqliteEnd(address.dataDir, mustExist);
  }
  const { openPostgresEnd } = await import('./postgres-endpoint.js');
  return openPostgresEnd(address, mustExist);
}
