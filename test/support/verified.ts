import { openBackup, openDatabase } from '../../dist/store/maintenance/open-for-verification.js';
import type { Problem } from '../../dist/store/maintenance/verification-problems.js';
import { verifyDatabase } from '../../dist/store/maintenance/verify-database.js';

export interface Verified {
  readonly problems: readonly Problem[];
  /** By table. */
  readonly rows: Readonly<Record<string, number>>;
  /** How many changes the histories of all accounts have. */
  readonly changes: number;
}

/** Verifies a database by its URL, or a backup by its path, as the command does. */
export async function verified(where: string): Promise<Verified> {
  const isDatabase = /^(sqlite|postgres):/.test(where);
  const verifiable = await (isDatabase ? openDatabase(where) : openBackup(where));
  try {
    const { problems, tables } = await verifyDatabase(verifiable, () => {});
    const rows = Object.fromEntries(tables.map((one) => [one.table, one.rows]));
    return { problems: problems.first, rows, changes: problems.checked('history') };
  } finally {
    await verifiable.close();
  }
}

export async function problemsIn(where: string): Promise<readonly Problem[]> {
  return (await verified(where)).problems;
}
