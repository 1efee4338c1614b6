import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Database } from './databases.js';
import { queryOnce } from './postgres/postgres-server.js';
import { runStatements } from './released-database.js';

interface StoredSet {
  readonly seq: number | string;
  readonly entries: Uint8Array;
}

/**
 * Edits the line of a change directly in the database; `edit` receives it with the line feeds around it. Later lines of
 * its set move if its length changes. Returns a function that restores the set.
 */
export async function editChange(
  database: Database,
  { accountId, revision }: { readonly accountId: string; readonly revision: number },
  edit: (line: string) => string,
): Promise<() => Promise<void>> {
  const start = `\n${JSON.stringify([accountId, revision]).slice(0, -1)},`;
  const set = (await setsIn(database)).find(({ entries }) => Buffer.from(entries).includes(start));
  if (set === undefined) throw new Error(`There is no revision ${revision} of ${accountId}.`);
  const text = Buffer.from(set.entries).toString();
  const from = text.indexOf(start);
  const to = text.indexOf('\n', from + 1) + 1;
  const edited = text.slice(0, from) + edit(text.slice(from, to)) + text.slice(to);
  if (edited === text) throw new Error('The edit has changed nothing.');
  await write(database, set.seq, Buffer.from(edited));
  return () => write(database, set.seq, set.entries);
}

async function setsIn({ url, settings }: Database): Promise<StoredSet[]> {
  const query = 'select seq, entries from change_set where tenant_id = 1';
  if (settings.DATABASE_URL !== undefined) return (await queryOnce(url, query)) as unknown as StoredSet[];
  const db = new DatabaseSync(join(settings.ACCOUNT_SYNC_DATA_DIR ?? '', 'account-sync.db'));
  const sets: StoredSet[] = db.prepare(query).all();
  db.close();
  return sets;
}

async function write(database: Database, seq: number | string, entries: Uint8Array): Promise<void> {
  const bytes = bytesIn(database, entries);
  await runStatements(
    database,
    `update change_set set entries = ${bytes} where tenant_id = 1 and seq = ${seq}`,
  );
}

/** A literal of SQL. */
export function bytesIn({ settings }: Database, bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return settings.DATABASE_URL === undefined ? `x'${hex}'` : `'\\x${hex}'::bytea`;
}
