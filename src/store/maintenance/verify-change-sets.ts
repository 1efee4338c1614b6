import type { Kysely } from 'kysely';
import { isJsonObject } from '../../domain/json.js';
import { scanSets } from '../changes/sets-after.js';
import {
  CHANGE_KINDS,
  type ChangeLine,
  countKind,
  decodeLine,
  linesOf,
  noChanges,
  type StoredChange,
} from '../schema/change-set.js';
import type { Row } from '../schema/scan.js';
import type { Tables } from '../schema/tables.js';
import type { TableSum } from './copy-database.js';
import { addFields, type TenantCounts } from './tenant-counts.js';
import type { ProblemReporter } from './verification-problems.js';

/** Accounts that one query looks up. */
const IDS_PER_QUERY = 1_000;

const LINE_FEED = 10;

interface SetReaders {
  readonly sum: TableSum;
  readonly counts: TenantCounts;
  /** Receives the number of changes of each set. */
  readonly onSet: (changes: number) => void;
}

/**
 * Checks that each change set of a tenant can be read, has the summary that its changes add up to, and has no change of
 * an account that does not exist.
 */
export async function verifyChangeSets(
  db: Kysely<Tables>,
  tenantId: number,
  reporter: ProblemReporter,
  { sum, counts, onSet }: SetReaders,
): Promise<void> {
  for await (const sets of scanSets(db, tenantId)) {
    const revisions = new Map<string, number>();
    for (const set of sets) {
      sum.add(set);
      const changes = readSet(set, reporter);
      verifySummary(set, changes, reporter, counts);
      counts.addSet({ commitOrder: set.turn, seq: set.seq }, changes.length);
      for (const { accountId, revision } of changes) {
        revisions.set(accountId, Math.max(revision, revisions.get(accountId) ?? 0));
      }
      onSet(changes.length);
    }
    await verifyAccountsOf(db, tenantId, revisions, reporter);
  }
}

function readSet(set: Row<'change_set'>, reporter: ProblemReporter): StoredChange[] {
  const { seq, request_id: request, entries } = set;
  if (entries[0] !== LINE_FEED || entries.at(-1) !== LINE_FEED) {
    reporter.problem('history', null, `the changes of request ${request} are cut off`);
  }
  return Array.from(linesOf(seq, entries), (line) => {
    const change = readChange(line);
    if (change === undefined) reporter.problem('history', null, `change ${line.seq} cannot be read`);
    return change;
  }).filter((change) => change !== undefined);
}

/** Undefined if the line cannot be read. */
export function readChange(line: ChangeLine): StoredChange | undefined {
  try {
    const change = decodeLine(line);
    const { accountId, revision, kind, changes, previous } = change;
    const isWhole =
      typeof accountId === 'string' &&
      [revision, previous?.seq ?? 0, previous?.place ?? 0].every(Number.isSafeInteger) &&
      kind !== undefined &&
      isJsonObject(changes) &&
      Object.values(changes).every((pair) => Array.isArray(pair) && pair.length === 2);
    return isWhole ? change : undefined;
  } catch {
    return undefined;
  }
}

function verifySummary(
  set: Row<'change_set'>,
  changes: readonly StoredChange[],
  reporter: ProblemReporter,
  counts: TenantCounts,
): void {
  const { request_id: request } = set;
  const kinds = noChanges();
  for (const change of changes) countKind(kinds, change);
  for (const kind of CHANGE_KINDS) {
    if (kinds[kind] === set[kind]) continue;
    reporter.problem(
      'history',
      null,
      `request ${request} ${kind} ${set[kind]}, but its changes ${kinds[kind]}`,
    );
  }
  const stored = readFieldCounts(set.fields);
  if (stored === undefined) {
    reporter.problem('history', null, `the summary of request ${request} cannot be read`);
    return;
  }
  // Later it may be that of more changes: old ones are removed without it.
  if (counts.isCounted({ commitOrder: set.turn, seq: set.seq })) return;
  const actual = new Map<string, number>();
  for (const { changes: fields } of changes)
    addFields(fields, (name, accounts) => actual.set(name, (actual.get(name) ?? 0) + accounts));
  for (const name of new Set([...stored.keys(), ...actual.keys()])) {
    const [summary = 0, sum = 0] = [stored.get(name), actual.get(name)];
    if (summary === sum) continue;
    reporter.problem(
      'history',
      null,
      `the summary of request ${request} has ${summary} for ${name}, but its changes ${sum}`,
    );
  }
}

function readFieldCounts(text: string): Map<string, number> | undefined {
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, readonly number[]>);
    const isWhole = entries.every(
      ([, count]) => (count.length === 2 || count.length === 3) && count.every(Number.isSafeInteger),
    );
    return isWhole ? new Map(entries.map(([name, [accounts = 0]]) => [name, accounts])) : undefined;
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
