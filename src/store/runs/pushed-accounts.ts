import { type Kysely, sql } from 'kysely';
import { NUMBERS_PER_SET } from '../schema/change-set.js';
import type { Tables } from '../schema/tables.js';

/** Which of the accounts of a source are missing from a run is examined in pages. */
export interface PushedRange {
  readonly tenantId: number;
  readonly source: string;
  readonly runId: number;
  /** The last account of the page before. */
  readonly after: string;
}

export interface PushedPage {
  /** How many accounts of the page are neither deleted nor archived. */
  readonly live: number;
  /** Those of them that were not pushed since the run was opened. */
  readonly missing: readonly MissingAccount[];
  /** The last account of the page; undefined if there are no more. */
  readonly last: string | undefined;
}

export interface SettledPage {
  /** Accounts that the run has archived, although the source has pushed them since it was opened. */
  readonly restore: readonly string[];
  /** The last account of the page; undefined if there are no more. */
  readonly last: string | undefined;
}

export interface MissingAccount {
  readonly accountId: string;
  readonly name: string | null;
  readonly revision: number;
}

export interface Tracking {
  /** Whether the accounts that the source had created before are among those that it has pushed. */
  readonly isSeeded: boolean;
}

const ROWS_PER_PAGE = 1_000;

/**
 * The accounts that sources have pushed, for runs that ask which accounts are missing. Only sources that have had such a
 * run are tracked:
 *
 *   first run with `missing` ──▶ `source.mirror_run` is set ──▶ writes store each account with the current `mirror_run`
 *   its end ──▶ `seed`: accounts that the source had created before ──▶ `page`: those with an earlier run are missing
 *
 * An account that the source pushes outside the run, while it is open, is not missing either.
 */
export class PushedAccounts {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Adds some accounts that the source has created. Returns where to continue; undefined if all are added. */
  async seed(tenantId: number, source: string, after: string): Promise<string | undefined> {
    const page = sql`
      select account_id, first_change, archived_at, deleted_at from account
      where tenant_id = ${tenantId} and account_id > ${after} order by account_id limit ${ROWS_PER_PAGE}`;
    // Subselects, so that the planner looks up each set instead of reading all.
    const isFirst = sql`change_set.tenant_id = ${tenantId} and change_set.seq = ${setOf('page.first_change')}`;
    return this.#db.transaction().execute(async (db) => {
      await sql`
        insert into pushed (tenant_id, source, account_id, run_id)
        select ${tenantId}, ${source}, page.account_id, 0 from (${page}) as page
        where page.deleted_at is null and page.archived_at is null and coalesce(
          (select run.source from change_set join run on run.id = change_set.run_id where ${isFirst}),
          (select api_key.source from change_set join api_key on api_key.id = change_set.key_id where ${isFirst})
        ) = ${source}
        order by page.account_id on conflict do nothing
      `.execute(db);
      const { rows } = await sql<{ last: string; rows: number }>`
        select max(account_id) as last, count(*) as rows from (${page}) as page
      `.execute(db);
      if (Number(rows[0]?.rows) === ROWS_PER_PAGE) return rows[0]?.last;
      const query = db.updateTable('source').set({ is_seeded: 1 }).where('tenant_id', '=', tenantId);
      await query.where('name', '=', source).execute();
      return undefined;
    });
  }

  /** Undefined unless the source has been tracked since the run was opened. */
  async tracking(tenantId: number, source: string, runId: number): Promise<Tracking | undefined> {
    const query = this.#db.selectFrom('source').select('is_seeded').where('tenant_id', '=', tenantId);
    const row = await query.where('name', '=', source).where('tracked_from', '<', runId).executeTakeFirst();
    return row && { isSeeded: row.is_seeded === 1 };
  }

  async page({ tenantId, source, runId, after }: PushedRange): Promise<PushedPage> {
    const { rows } = await sql<{
      id: string;
      is_missing: number;
      name: string | null;
      revision: number | null;
      archived_at: number | null;
      deleted_at: number | null;
    }>`
      select page.account_id as id, page.is_missing, name, revision, archived_at, deleted_at from (
        select account_id, case when run_id < ${runId} then 1 else 0 end as is_missing from pushed
        where tenant_id = ${tenantId} and source = ${source} and account_id > ${after}
        order by account_id limit ${ROWS_PER_PAGE}
      ) as page
      left join account on account.tenant_id = ${tenantId} and account.account_id = page.account_id
      order by page.account_id
    `.execute(this.#db);
    const missing: MissingAccount[] = [];
    let live = 0;
    for (const { id: accountId, is_missing, name, revision, archived_at, deleted_at } of rows) {
      // A rejected record may name an account that does not exist.
      if (revision === null || archived_at !== null || deleted_at !== null) continue;
      live += 1;
      if (is_missing === 1) missing.push({ accountId, name, revision });
    }
    return { live, missing, last: rows.length === ROWS_PER_PAGE ? rows.at(-1)?.id : undefined };
  }

  /**
   * After the run has archived what is missing: the source does not have these accounts any more, nor those that are
   * deleted. So they are not archived again if another source pushes them. If the source has pushed one while it was
   * being archived, it is to be restored: the deletion waits for a transaction that is just storing it.
   */
  async settle({ tenantId, source, runId, after }: PushedRange): Promise<SettledPage> {
    const { rows } = await sql<{ id: string; is_missing: number; is_deleted: number; is_archived: number }>`
      select page.account_id as id, page.is_missing,
        case when account.revision is null or deleted_at is not null then 1 else 0 end as is_deleted,
        case when archived_at is not null and ${runId} = (
          select run_id from change_set where tenant_id = ${tenantId} and seq = ${setOf('account.last_change')}
        ) then 1 else 0 end as is_archived
      from (
        select account_id, case when run_id < ${runId} then 1 else 0 end as is_missing from pushed
        where tenant_id = ${tenantId} and source = ${source} and account_id > ${after}
        order by account_id limit ${ROWS_PER_PAGE}
      ) as page
      left join account on account.tenant_id = ${tenantId} and account.account_id = page.account_id
      order by page.account_id
    `.execute(this.#db);
    const archived = rows.filter(({ is_archived }) => is_archived === 1);
    const deleted = rows.filter(({ is_missing, is_deleted }) => is_missing === 1 && is_deleted === 1);
    const gone = [...archived, ...deleted].map(({ id }) => id);
    const forgotten = new Set(await this.#forget({ tenantId, source, runId }, gone));
    const kept = archived.map(({ id }) => id).filter((id) => !forgotten.has(id));
    const restore = await this.#pushedSince({ tenantId, source, runId }, kept);
    return { restore, last: rows.length === ROWS_PER_PAGE ? rows.at(-1)?.id : undefined };
  }

  /** Another process that finishes the same run may have forgotten some. */
  async #pushedSince(
    { tenantId, source, runId }: Omit<PushedRange, 'after'>,
    accountIds: readonly string[],
  ): Promise<string[]> {
    if (accountIds.length === 0) return [];
    const rows = await this.#db
      .selectFrom('pushed')
      .select('account_id')
      .where('tenant_id', '=', tenantId)
      .where('source', '=', source)
      .where('account_id', 'in', accountIds)
      .where('run_id', '>=', runId)
      .execute();
    return rows.map(({ account_id }) => account_id);
  }

  async #forget(
    { tenantId, source, runId }: Omit<PushedRange, 'after'>,
    accountIds: readonly string[],
  ): Promise<string[]> {
    if (accountIds.length === 0) return [];
    const rows = await this.#db
      .deleteFrom('pushed')
      .where('tenant_id', '=', tenantId)
      .where('source', '=', source)
      .where('account_id', 'in', accountIds)
      .where('run_id', '<', runId)
      .returning('account_id')
      .execute();
    return rows.map(({ account_id }) => account_id);
  }
}

/** The number of the set that has a change, by the number of the change. */
function setOf(column: string) {
  return sql`${sql.ref(column)} - ${sql.ref(column)} % ${sql.lit(NUMBERS_PER_SET)}`;
}
