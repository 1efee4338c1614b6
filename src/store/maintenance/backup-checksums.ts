import { createHash } from 'node:crypto';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';

/**
 * SQLite's own check finds pages that do not fit together, but not a changed bit inside of a value that no index has. So a
 * backup carries a SHA-256 of every table, the schema included, in a table of its own that is written last. The
 * `application_id` in the file's header says that they are there: where either is lost, the other tells.
 */
const TABLE = 'backup_checksum';
/** "ACS1": the first form of the checksums. Another form gets another number. */
const APPLICATION_ID = 0x41435331;
const SCHEMA = 'sqlite_schema';

export interface TableChecksum {
  readonly name: string;
  readonly rows: number;
  readonly sha256: string;
}

/** What comparing a backup with its checksums has found. */
export interface ChecksumComparison {
  /** How many tables were compared. */
  readonly tables: number;
  /** One for each table that is not what it was. */
  readonly problems: readonly string[];
}

/** Adds the checksums of all that a complete file holds; `report` hears of rows. */
export function addChecksums(file: string, report: (done: number, total: number) => void): void {
  // Not synced here: finishing the file does that.
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

/** Undefined where the backup has none: it was made by a version that knew none. */
export function compareChecksums(file: string): ChecksumComparison | undefined {
  const db = new DatabaseSync(file, { readOnly: true });
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

/** Makes a copy of a backup a database like any other, in which rows may change. */
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
 * Over all rows in the order in which they are stored, by the table itself and no index, and of each row every value with
 * its type and length. The bytes come as SQLite stores them: read as text, two that are no UTF-8 would be the same.
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
