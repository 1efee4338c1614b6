import { type Kysely, sql } from 'kysely';
import type { TableName } from '../schema/scan.js';
import type { Tables } from '../schema/tables.js';
import { COPIED_TABLES, count, summarise, TableSum, type TableSummary } from './copy-database.js';
import type { Verifiable } from './open-for-verification.js';
import { type Check, Problems } from './verification-problems.js';
import { verifyTenant } from './verify-tenant.js';

export interface Verification {
  readonly problems: Problems;
  /** Not of one moment where a server writes meanwhile. */
  readonly tables: readonly TableSummary[];
}

/** Of SQLite and PostgreSQL, for pages that are not what they were. */
const DAMAGE = new Set<number | string>([11, 26, 'XX001', 'XX002']);

/** Reads everything back and compares each thing with what else tells of it. Servers may go on meanwhile. */
export async function verifyDatabase(
  { db, damage, checksums }: Verifiable,
  report: (done: number, total: number) => void,
): Promise<Verification> {
  const problems = new Problems();
  const addProblem = (check: Check) => (problem: string) =>
    problems.add({ check, tenant: null, account: null, problem });
  damage?.forEach(addProblem('file'));
  checksums?.problems.forEach(addProblem('checksums'));
  problems.count('checksums', checksums?.tables);
  try {
    return { problems, tables: await verifyTables(db, problems, report) };
  } catch (error) {
    const { errcode = 0, code = '', message } = error as Error & { errcode?: number; code?: string };
    // The low byte of an extended code is the primary one.
    const isDamage = DAMAGE.has(errcode & 0xff) || DAMAGE.has(code);
    // What is already known to be damaged may fail in any way, as where a column has another name.
    if (!isDamage && problems.total === 0) throw error;
    addProblem('file')(`reading ended: ${message}`);
    return { problems, tables: [] };
  }
}

async function verifyTables(
  db: Kysely<Tables>,
  problems: Problems,
  report: (done: number, total: number) => void,
): Promise<TableSummary[]> {
  const accountSum = new TableSum('account');
  const historySum = new TableSum('account_history');
  const total = await count(db, 'account_history');
  const readers = { accountSum, historySum, report: () => report(historySum.rows, total) };
  for (let id = await nextTenant(db); id !== null; id = await nextTenant(db, id)) {
    const found = await verifyTenant(db, id, readers);
    if (found !== undefined) problems.addAll(found);
  }
  const walked: Partial<Record<TableName, TableSum>> = { account: accountSum, account_history: historySum };
  const tables: TableSummary[] = [];
  for (const table of COPIED_TABLES) {
    tables.push(walked[table]?.summary() ?? (await summarise(db, table, () => {})));
  }
  return tables;
}

/** Also those of which only accounts or changes are there. Asked for one by one: no table is read for it. */
async function nextTenant(db: Kysely<Tables>, after = -(2 ** 31)): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    select min(id) as id from (
      select min(id) as id from tenant where id > ${after}
      union all select min(tenant_id) from account where tenant_id > ${after}
      union all select min(tenant_id) from account_history where tenant_id > ${after}
    ) as next
  `.execute(db);
  return rows[0]?.id ?? null;
}
