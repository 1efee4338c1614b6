import type { Kysely } from 'kysely';
import { canonicalIdentifier } from '../../domain/identifier.js';
import { isJsonObject, type JsonObject } from '../../domain/json.js';
import type { Dialect } from '../dialect.js';
import { fitsIndex } from '../jobs/attribute-index.js';
import { type KeyValue, keyOf, type Row, scan } from '../schema/scan.js';
import { accountFromRow, type Tables } from '../schema/tables.js';
import type { TableSum } from './copy-database.js';
import { TenantCounts } from './tenant-counts.js';
import { type AccountPage, type ProblemReporter, Problems } from './verification-problems.js';
import { verifyChangeSets } from './verify-change-sets.js';
import { verifyHistories } from './verify-histories.js';

export interface TenantReaders {
  readonly dialect: Dialect;
  readonly accountSum: TableSum;
  readonly setSum: TableSum;
  /** Receives numbers of changes: each is counted twice, with its set and with its account. */
  readonly onChanges: (changes: number) => void;
}

/**
 * Verifies the accounts of one tenant with all their other rows. Each page is read in one snapshot, so that servers may
 * write meanwhile. One snapshot for all pages would last so long that the database log grows. Returns undefined if the
 * tenant was removed meanwhile.
 */
export async function verifyTenant(
  db: Kysely<Tables>,
  tenantId: number,
  { dialect, accountSum, setSum, onChanges }: TenantReaders,
): Promise<Problems | undefined> {
  const name = await tenantName(db, tenantId);
  const problems = new Problems();
  const reporter: ProblemReporter = {
    problem: (check, account, problem) =>
      problems.add({ check, tenant: name ?? String(tenantId), account, problem }),
    checked: (check) => {
      problems.count(check);
      if (check === 'history') onChanges(1);
    },
    found: (check) => problems.found(check),
  };
  const passBefore = await retentionPass(db, tenantId);
  const counts = await inSnapshot(db, (snapshot) => TenantCounts.read(snapshot, dialect, tenantId));
  await verifyChangeSets(db, tenantId, reporter, { sum: setSum, counts, onSet: onChanges });
  const verifyPage = async (snapshot: Kysely<Tables>, after: KeyValue[] | undefined) => {
    const { value: accounts = [] } = await scan(snapshot, 'account', { tenantId, after }).next();
    for (const row of accounts) accountSum.add(row);
    const until = accounts.length === 0 ? undefined : keyOf('account', accounts.at(-1));
    const fieldsOf = verifyAccounts(accounts, reporter, counts);
    const page = { snapshot, tenantId, accounts, fieldsOf, range: { tenantId, after, until } };
    await verifyValues(page, reporter);
    await verifyHistories(page, dialect, reporter, counts);
    return until;
  };
  let after: KeyValue[] | undefined;
  do after = await inSnapshot(db, (snapshot) => verifyPage(snapshot, after));
  while (after !== undefined);
  if (counts.unreached !== 0 && passBefore === (await retentionPass(db, tenantId))) {
    reporter.problem('history', null, `no account leads to ${counts.unreached} of its changes`);
  }
  if (name === undefined) reporter.problem('accounts', null, 'the tenant does not exist, but has rows');
  else {
    reporter.checked('counts');
    for (const problem of counts.problems()) reporter.problem('counts', null, problem);
  }
  return name === (await tenantName(db, tenantId)) ? problems : undefined;
}

function verifyAccounts(
  accounts: readonly Row<'account'>[],
  reporter: ProblemReporter,
  counts: TenantCounts,
): Map<string, JsonObject> {
  const fieldsOf = new Map<string, JsonObject>();
  for (const row of accounts) {
    const { account_id: id } = row;
    reporter.checked('accounts');
    if (fieldsOf.has(id)) reporter.problem('accounts', id, 'it is stored twice');
    // If every id has its canonical form, no two accounts have the same one.
    const canonical = canonicalIdentifier(id);
    if (canonical !== id) reporter.problem('accounts', id, `its id should be ${JSON.stringify(canonical)}`);
    const fields = readFields(row);
    if (fields === undefined) reporter.problem('accounts', id, 'its fields cannot be read');
    fieldsOf.set(id, fields ?? {});
    const names = Object.keys(fields ?? {});
    if (row.deleted_at === null) counts.addAccount(names, row.archived_at !== null);
    else if (names.length > 0) reporter.problem('accounts', id, `it is deleted, but has ${names.join(', ')}`);
  }
  return fieldsOf;
}

function readFields(row: Row<'account'>): JsonObject | undefined {
  try {
    return isJsonObject(JSON.parse(row.fields)) ? accountFromRow(row).fields : undefined;
  } catch {
    return undefined;
  }
}

async function tenantName(db: Kysely<Tables>, tenantId: number): Promise<string | undefined> {
  const query = db.selectFrom('tenant').select('name').where('id', '=', tenantId);
  return (await query.executeTakeFirst())?.name;
}

/** Differs as soon as a job has removed old changes. */
async function retentionPass(db: Kysely<Tables>, tenantId: number): Promise<string> {
  const query = db.selectFrom('pruning').selectAll().where('tenant_id', '=', tenantId);
  return JSON.stringify(await query.execute());
}

/** On SQLite every transaction reads one snapshot. */
function inSnapshot<T>(db: Kysely<Tables>, work: (snapshot: Kysely<Tables>) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').execute(work);
}

/** Checks that each value of an indexed attribute is in the index, and that the index has no other values. */
async function verifyValues(page: AccountPage, reporter: ProblemReporter): Promise<void> {
  const { snapshot, fieldsOf, range } = page;
  const names = await indexedNames(page);
  const expected = new Map<string, string>();
  for (const [id, fields] of fieldsOf) {
    for (const name of names) {
      const value = Object.hasOwn(fields, name) ? JSON.stringify(fields[name]) : undefined;
      if (value !== undefined && fitsIndex(value)) expected.set(JSON.stringify([id, name]), value);
    }
  }
  for await (const rows of scan(snapshot, 'account_value', range)) {
    for (const { account_id: id, name, value } of rows) {
      if (!fieldsOf.has(id))
        reporter.problem('indexed values', id, `${name} is indexed, but there is no account`);
      else if (names.has(name)) {
        reporter.checked('indexed values');
        const key = JSON.stringify([id, name]);
        if (expected.get(key) !== value) {
          reporter.problem('indexed values', id, `${name} is indexed with another value`);
        }
        expected.delete(key);
      }
    }
  }
  for (const key of expected.keys()) {
    const [id, name] = JSON.parse(key) as [string, string];
    reporter.problem('indexed values', id, `${name} is not indexed`);
  }
}

/** Only complete indexes: no query uses an index that is being built or dropped. */
async function indexedNames({ snapshot, tenantId }: AccountPage): Promise<Set<string>> {
  const query = snapshot.selectFrom('attribute').select('name').where('tenant_id', '=', tenantId);
  const rows = await query.where('indexed', '=', 2).execute();
  return new Set(rows.map(({ name }) => name));
}
