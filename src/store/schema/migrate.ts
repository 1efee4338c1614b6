import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../dialect.js';
import { MissingDatabase, StoreUnusable } from '../errors.js';
import type { Migration, MigrationProgress } from './migrations.js';
import type { Tables } from './tables.js';

export interface MigrationEnvironment {
  readonly migrations: readonly Migration[];
  readonly dialect: DialectName;
  /** Starts a transaction during which no other process can migrate. */
  begin(connection: Kysely<Tables>): Promise<void>;
  /** Called before the first change to a database that already has tables. */
  backUp?(version: number): void;
  /** Called before a migration that servers of earlier versions do not survive. Rejects if one is connected. */
  rejectServers?(connection: Kysely<Tables>): Promise<void>;
  readonly onProgress?: ((progress: MigrationProgress) => void) | undefined;
}

export async function migrate(db: Kysely<Tables>, environment: MigrationEnvironment): Promise<void> {
  const { migrations } = environment;
  const before = await schemaVersion(db);
  if (before > migrations.length) {
    throw new StoreUnusable(
      `The database has schema version ${before}, made by a newer account-sync; this one knows ` +
        `${migrations.length}. Start the newer version, or restore the backup made before the upgrade.`,
    );
  }
  if (before === migrations.length) return;
  if (before > 0) environment.backUp?.(before);
  await db.connection().execute(async (connection) => {
    try {
      await environment.begin(connection);
      await runPending(connection, environment);
      await sql`commit`.execute(connection);
    } catch (error) {
      // Some failures, such as a full disk, have already rolled back: the first error is the one to report.
      await sql`rollback`.execute(connection).catch(() => {});
      throw error;
    }
  });
}

/** Rejects with `MissingDatabase` if the tables do not exist; `location` appears in the message. */
export async function requireTables(db: Kysely<Tables>, location: string): Promise<void> {
  if ((await schemaVersion(db)) > 0) return;
  throw new MissingDatabase(`There is no database: ${location} holds no tables of account-sync.`);
}

/** 0 for a database without tables. */
export async function schemaVersion(db: Kysely<Tables>): Promise<number> {
  try {
    const { version } = await db
      .selectFrom('schema_migration')
      .select((select) => select.fn.max('version').as('version'))
      .executeTakeFirstOrThrow();
    return version ?? 0;
  } catch (error) {
    if (isMissingTable(error)) return 0;
    throw error;
  }
}

function isMissingTable(error: unknown): boolean {
  const { code, message } = error as Error & { code?: string };
  return code === '42P01' || message.startsWith('no such table');
}

async function runPending(
  db: Kysely<Tables>,
  { migrations, dialect, rejectServers, onProgress }: MigrationEnvironment,
): Promise<void> {
  await db.schema
    .createTable('schema_migration')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
  // Read again inside the transaction: another process may have migrated meanwhile.
  const version = await schemaVersion(db);
  for (const [index, { name, run, excludesServers }] of migrations.entries()) {
    if (index < version) continue;
    if (excludesServers && version > 0) await rejectServers?.(db);
    await run(db, dialect, (done, total) => onProgress?.({ migration: name, done, total }));
    const applied = { version: index + 1, name, applied_at: Date.now() };
    await db.insertInto('schema_migration').values(applied).execute();
  }
}
