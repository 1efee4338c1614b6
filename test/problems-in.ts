import { openBackup, openDatabase } from '../dist/store/verify/open-for-verification.js';
import type { Problem } from '../dist/store/verify/problems.js';
import { verifyDatabase } from '../dist/store/verify/verify-database.js';

/** What `verify` finds wrong, as the command does it: of a database by its URL, else of a backup. */
export async function problemsIn(where: string): Promise<readonly Problem[]> {
  const { db, damage, close } = await (/^(sqlite|postgres):/.test(where)
    ? openDatabase(where)
    : openBackup(where));
  try {
    const { problems } = await verifyDatabase(db, damage ?? [], () => {});
    return problems.first;
  } finally {
    await close();
  }
}
