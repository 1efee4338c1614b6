import { type Kysely, sql } from 'kysely';
import { CHANGES } from '../changes/sets-after.js';
import type { Dialect } from '../dialect.js';
import type { TableName } from '../schema/scan.js';
import type { Tables } from '../schema/tables.js';
import { COPIED_TABLES, summarise, TableSum, type TableSummary } from './copy-database.js';
import type { Verifiable } from './open-for-verification.js';
import { type Check, Problems } from './verification-problems.js';
import { verifyTenant } from './verify-tenant.js';

export interface Verification {
  readonly problems: Problems;
  /** Not one consistent snapshot if a server writes meanwhile. */
  readonly tables: readonly TableSummary[];
}

/** Error codes for damaged pages: SQLITE_CORRUPT, SQLITE_NOTADB; data and index corruption of PostgreSQL. */
const DAMAGE = new Set<number | string>([11, 26, 'XX001', 'XX002']);

/**
 * Verifies a database or backup: reads all data, and compares redundant data with each other.
 * - file, checksums: the checks of SQLite itself, and the checksums of a backup
 * - accounts: ids in canonical form, readable fields
 * - history: each change set has the summary of its changes (`verifyChangeSets`), replaying the changes of an account
 *   backwards from the stored account leads to its creation (`HistoryReplay`), and this reaches all changes
 * - indexed values: each equals the attribute of its account, and none is missing
 * - counts: the statistics equal what the accounts and changes add up to
 * Servers may write meanwhile: each page of accounts is checked in one snapshot.
 */
export async function verifyDatabase(
  { db, dialect, damage, checksums }: Verifiable,
  report: (done: number, total: number) => void,
): Promise<Verification> {
  const problems = new Problems();
  const addProblem = (check: Check) => (problem: string) =>
    problems.add({ check, tenant: null, account: null, problem });
  damage?.forEach(addProblem('file'));
  checksums?.problems.forEach(addProblem('checksums'));
  problems.count('checksums', checksums?.tables);
  try {
    return { problems, tables: await verifyTables(db, dialect, problems, report) };
  } catch (error) {
    const { errcode = 0, code = '', message } = error as Error & { errcode?: number; code?: string };
    // The low byte of an extended code is the primary code.
    const isDamage = DAMAGE.has(errcode & 0xff) || DAMAGE.has(code);
    // A file that is already known to be damaged may fail in any way, for example because a column has another name.
    if (!isDamage && problems.total === 0) throw error;
    addProblem('file')(`reading ended: ${message}`);
    return { problems, tables: [] };
  }
}

async function verifyTables(
  db: Kysely<Tables>,
  dialect: Dialect,
  problems: Problems,
  report: (done: number, total: number) => void,
): Promise<TableSummary[]> {
  const accountSum = new TableSum('account');
  const setSum = new TableSum('change_set');
  const total = await countChanges(db);
  // Each change is read twice, with its set and with its account.
  let done = 0;
  const onChanges = (changes: number) => {
    done += changes / 2;
    report(Math.floor(done), total);
  };
  const readers = { dialect, accountSum, setSum, onChanges };
  for (let id = await nextTenant(db); id !== null; id = await nextTenant(db, id)) {
    const found = await verifyTenant(db, id, readers);
    if (found !== undefined) problems.addAll(found);
  }
  const summed: Partial<Record<TableName, TableSum>> = { account: accountSum, change_set: setSum };
  const tables: TableSummary[] = [];
  for (const table of COPIED_TABLES) {
    tables.push(summed[table]?.summary() ?? (await summarise(db, table, () => {})));
  }
  return tables;
}

async function countChanges(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ changes: number }>`
    select cast(coalesce(sum(${CHANGES}), 0) as bigint) as changes from change_set
  `.execute(db);
  return rows[0]?.changes ?? 0;
}

/** Also finds ids that only accounts or changes have. It seeks in indexes, one tenant at a time, and reads no table. */
async function nextTenant(db: Kysely<Tables>, after = -(2 ** 31)): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    select min(id) as id from (
      select min(id) as id from tenant where id > ${after}
      union all select min(tenant_id) from account where tenant_id > ${after}
      union all select min(tenant_id) from change_set where tenant_id > ${after}
    ) as next
  `.execute(db);
  return rows[0]?.id ?? null;
}
