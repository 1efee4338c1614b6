import { parseDatabaseUrl } from '../database-url.js';
import type { CopyEndpoint } from './copy-database.js';

/**
 * Opens one side of a copy. Rejects with `StoreUnusable` if a server uses it, and with `MissingDatabase` if it must
 * exist and does not.
 */
export async function openCopyEndpoint(
  database: string,
  { mustExist }: { mustExist: boolean },
): Promise<CopyEndpoint> {
  const address = parseDatabaseUrl(database);
  if (address.kind === 'sqlite') {
    const { openSqliteEndpoint } = await import('./sqlite-endpoint.js');
    return openSqliteEndpoint(address.dataDir, mustExist);
  }
  const { openPostgresEndpoint } = await import('./postgres-endpoint.js');
  return openPostgresEndpoint(address, mustExist);
}
