import { createHash } from 'node:crypto';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { openReadOnly } from '../sqlite/connection.js';

/*
 * Checksums inside a backup file. SQLite's own check finds pages that do not fit together, but not a changed bit inside
 * a value that is in no index. So a backup contains a SHA-256 of every table, including the schema, in a table of its
 * own that is written last. The `application_id` in the file header marks a file with checksums: if either the mark or
 * the table is lost, the other shows it.
 */
const TABLE = 'backup_checksum';
/** "ACS1": the first format of the checksums. Another format needs another number. */
const APPLICATION_ID = 0x41435331;
const SCHEMA = 'sqlite_schema';

export interface TableChecksum {
  readonly name: string;
  readonly rows: number;
  readonly sha256: string;
}

/** The result of comparing a backup with its checksums. */
export interface ChecksumComparison {
  /** How many tables were compared. */
  readonly tables: number;
  /** One for each table that has changed. */
  readonly problems: readonly string[];
}

/** Adds the checksums of all tables to a complete file; `report` receives numbers of rows. */
export function addChecksums(file: string, report: (done: number, total: number) => void): void {
  // No sync here: `UnfinishedFile.finish` syncs the file.
  const db = new DatabaseSync(file);
  try {
    db.exec(`
      pragma journal_mode = memory; pragma synchronous = off; pragma application_id = ${APPLICATION_ID};
      drop table if exists ${TABLE};
      create table ${TABLE} (name text not null primary key, row_count integer not null, sha256 text not null)`);
    const tables = tablesIn(db);
    const total = tables.reduce((sum, table) => sum + countRows(db, table), 0);
    let done = 0;
    const onRow = () => {
      done += 1;
      if (done % 10_000 === 0 || done === total) report(done, total);
    };
    const insert = db.prepare(`insert into ${TABLE} (name, row_count, sha256) values (?, ?, ?)`);
    const sums = tables.map((table) => checksumOf(db, table, onRow));
    db.exec('begin');
    for (const { name, rows, sha256 } of sums) insert.run(name, rows, sha256);
    db.exec('commit');
  } finally {
    db.close();
  }
}

/** Undefined if the backup has no checksums because an older version wrote it. */
export function compareChecksums(file: string): ChecksumComparison | undefined {
  const db = openReadOnly(file);
  try {
    const isMarked = db.prepare('pragma application_id').get().application_id === APPLICATION_ID;
    const hasTable = db.prepare(`select 1 from ${SCHEMA} where name = '${TABLE}'`).get() !== undefined;
    if (!isMarked && !hasTable) return undefined;
    if (!isMarked || !hasTable) return { tables: 0, problems: ['the checksums of the backup are damaged'] };
    return compare(db, readChecksums(db));
  } catch (error) {
    const { message } = error as Error;
    return { tables: 0, problems: [`the checksums of the backup cannot be read: ${message}`] };
  } finally {
    db.close();
  }
}

/** Turns a copy of a backup into a normal database, in which rows may change. */
export function removeChecksums(file: string): void {
  const db = new DatabaseSync(file);
  try {
    db.exec(`
      pragma journal_mode = memory; pragma synchronous = off;
      drop table if exists ${TABLE}; pragma application_id = 0`);
  } finally {
    db.close();
  }
}

function compare(db: DatabaseSyncInstance, expected: Map<string, TableChecksum>): ChecksumComparison {
  const names = new Set([...tablesIn(db), ...expected.keys()]);
  const problems = [...names].flatMap((name) => {
    const problem = problemWith(db, name, expected.get(name));
    return problem === undefined ? [] : [problem];
  });
  return { tables: names.size, problems };
}

function problemWith(
  db: DatabaseSyncInstance,
  name: string,
  expected: TableChecksum | undefined,
): string | undefined {
  if (expected === undefined) return `${name} has no checksum`;
  try {
    const { rows, sha256 } = checksumOf(db, name, () => {});
    if (sha256 === expected.sha256 && rows === expected.rows) return undefined;
    return `${name} is not what was backed up: its checksum differs`;
  } catch (error) {
    return `${name} cannot be read: ${(error as Error).message}`;
  }
}

function readChecksums(db: DatabaseSyncInstance): Map<string, TableChecksum> {
  const rows: TableChecksum[] = db.prepare(`select name, row_count as rows, sha256 from ${TABLE}`).all();
  return new Map(rows.map((row) => [row.name, row]));
}

function tablesIn(db: DatabaseSyncInstance): string[] {
  const query = `select name from ${SCHEMA} where type = 'table' and name <> '${TABLE}' order by name`;
  const rows: { name: string }[] = db.prepare(query).all();
  return [SCHEMA, ...rows.map(({ name }) => name)];
}

function countRows(db: DatabaseSyncInstance, table: string): number {
  return db.prepare(`select count(*) as rows from ${quoted(table)}`).get().rows;
}

/**
 * Hashes all rows in stored order, read from the table and no index: every value with its type and length. Values are
 * read as bytes: read as text, two different byte sequences that are not valid UTF-8 would become the same text.
 */
function checksumOf(db: DatabaseSyncInstance, name: string, onRow: () => void): TableChecksum {
  const columns: { name: string }[] = db.prepare('select name from pragma_table_info(?)').all(name);
  const values = ['rowid', ...columns.map((column) => quoted(column.name))].map(
    (value) => `concat(typeof(${value}), ':', octet_length(${value}), ':', ${value}, ';')`,
  );
  const statement = db.prepare(
    `select cast(concat(${values.join(', ')}) as blob) as bytes from ${quoted(name)} not indexed order by rowid`,
  );
  const hash = createHash('sha256');
  let rows = 0;
  for (const { bytes } of statement.iterate() as Iterable<{ bytes: Uint8Array }>) {
    hash.update(bytes);
    rows += 1;
    onRow();
  }
  return { name, rows, sha256: hash.digest('hex') };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
