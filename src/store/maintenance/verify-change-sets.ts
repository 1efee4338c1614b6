import type { Kysely } from 'kysely';
import { scanSets } from '../changes/sets-after.js';
import { type ChangeLine, decodeLine, linesOf, type StoredChange } from '../schema/change-set.js';
import type { Row } from '../schema/scan.js';
import type { Tables } from '../schema/tables.js';
import type { TableSum } from './copy-database.js';
import type { ProblemReporter } from './verification-problems.js';

/** Accounts that one query looks up. */
const IDS_PER_QUERY = 1_000;

/**
 * Checks that each change set of a tenant can be read, has the summary that its changes add up to, and has no change of
 * an account that does not exist. `onSet` receives the number of changes of each set.
 */
export async function verifyChangeSets(
  db: Kysely<Tables>,
  tenantId: number,
  reporter: ProblemReporter,
  sum: TableSum,
  onSet: (changes: number) => void,
): Promise<void> {
  for await (const sets of scanSets(db, tenantId)) {
    const revisions = new Map<string, number>();
    for (const set of sets) {
      sum.add(set);
      const changes = readSet(set, reporter);
      for (const { accountId, revision } of changes) {
        revisions.set(accountId, Math.max(revision, revisions.get(accountId) ?? 0));
      }
      onSet(changes.length);
    }
    await verifyAccountsOf(db, tenantId, revisions, reporter);
  }
}

function readSet(set: Row<'change_set'>, reporter: ProblemReporter): StoredChange[] {
  const changes = Array.from(linesOf(set.seq, set.entries), (line) => {
    const change = readLine(line);
    if (change === undefined) reporter.problem('history', null, `change ${line.seq} cannot be read`);
    return change;
  }).filter((change) => change !== undefined);
  for (const kind of ['created', 'updated', 'deleted'] as const) {
    const actual = changes.filter((change) => change.kind === kind).length;
    if (actual === set[kind]) continue;
    reporter.problem(
      'history',
      null,
      `request ${set.request_id} ${kind} ${set[kind]}, but its changes ${actual}`,
    );
  }
  return changes;
}

function readLine(line: ChangeLine): StoredChange | undefined {
  try {
    return decodeLine(line);
  } catch {
    return undefined;
  }
}

/** Read after the sets: servers may write meanwhile, and revisions only grow. */
async function verifyAccountsOf(
  db: Kysely<Tables>,
  tenantId: number,
  revisions: ReadonlyMap<string, number>,
  reporter: ProblemReporter,
): Promise<void> {
  const ids = [...revisions.keys()];
  for (let at = 0; at < ids.length; at += IDS_PER_QUERY) {
    const some = ids.slice(at, at + IDS_PER_QUERY);
    const rows = await db
      .selectFrom('account')
      .select(['account_id', 'revision'])
      .where('tenant_id', '=', tenantId)
      .where('account_id', 'in', some)
      .execute();
    const stored = new Map(rows.map(({ account_id, revision }) => [account_id, revision]));
    for (const id of some) {
      if (!stored.has(id)) reporter.problem('history', id, 'there is a history, but no account');
      else if ((stored.get(id) ?? 0) < (revisions.get(id) ?? 0)) {
        reporter.problem(
          'history',
          id,
          `its history has revision ${revisions.get(id)}, which is later than its own`,
        );
      }
    }
  }
}
