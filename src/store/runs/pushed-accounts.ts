import { type Kysely, type Selectable, sql } from 'kysely';
import { CONSOLE_SOURCE } from '../../domain/user.js';
import { setOf } from '../schema/change-set.js';
import type { Tables } from '../schema/tables.js';
import { isByUser } from './is-by-user.js';

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

type ReadAccount = Pick<
  Selectable<Tables['account']>,
  'account_id' | 'name' | 'revision' | 'archived_at' | 'deleted_at' | 'last_change'
>;

interface ReadPage {
  readonly rows: readonly {
    readonly id: string;
    /** Whether it was not pushed since the run was opened. */
    readonly isMissing: boolean;
    readonly account: ReadAccount | undefined;
  }[];
  readonly last: string | undefined;
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
    const accounts = await this.#db
      .selectFrom('account')
      .select(['account_id', 'first_change', 'archived_at', 'deleted_at'])
      .where('tenant_id', '=', tenantId)
      .where('account_id', '>', after)
      .orderBy('account_id')
      .limit(ROWS_PER_PAGE)
      .execute();
    const live = accounts
      .filter(({ archived_at, deleted_at }) => archived_at === null && deleted_at === null)
      .map(({ account_id, first_change }) => ({ account_id, set: setOf(first_change ?? 0) }));
    const sets = await this.#setsOf(tenantId, source, new Set(live.map(({ set }) => set)));
    const rows = live
      .filter(({ set }) => sets.has(set))
      .map(({ account_id }) => ({ tenant_id: tenantId, source, account_id, run_id: 0 }));
    if (rows.length > 0)
      await this.#db
        .insertInto('pushed')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    if (accounts.length === ROWS_PER_PAGE) return accounts.at(-1)?.account_id;
    const query = this.#db.updateTable('source').set({ is_seeded: 1 }).where('tenant_id', '=', tenantId);
    await query.where('name', '=', source).execute();
    return undefined;
  }

  /** Those of some change sets that the source has sent. */
  async #setsOf(tenantId: number, source: string, numbers: ReadonlySet<number>): Promise<Set<number>> {
    const byUser = isByUser('change_set.key_id');
    const { rows } = await sql<{ seq: number }>`
      select seq from change_set
      left join run on run.id = change_set.run_id left join api_key on api_key.id = change_set.key_id
      where change_set.tenant_id = ${tenantId} and seq in (${sql.join([...numbers, 0])})
        and coalesce(run.source, api_key.source, case when ${byUser} then ${CONSOLE_SOURCE} end) = ${source}
    `.execute(this.#db);
    return new Set(rows.map(({ seq }) => seq));
  }

  /** Undefined unless the source has been tracked since the run was opened. */
  async tracking(tenantId: number, source: string, runId: number): Promise<Tracking | undefined> {
    const query = this.#db.selectFrom('source').select('is_seeded').where('tenant_id', '=', tenantId);
    const row = await query.where('name', '=', source).where('tracked_from', '<', runId).executeTakeFirst();
    return row && { isSeeded: row.is_seeded === 1 };
  }

  async page(range: PushedRange): Promise<PushedPage> {
    const { rows, last } = await this.#read(range);
    const live = rows.flatMap(({ account, isMissing }) => {
      const isLive = account !== undefined && account.archived_at === null && account.deleted_at === null;
      return isLive ? [{ account, isMissing }] : [];
    });
    const missing = live.flatMap(({ account, isMissing }) => {
      const { account_id: accountId, name, revision } = account;
      return isMissing ? [{ accountId, name, revision }] : [];
    });
    return { live: live.length, missing, last };
  }

  /**
   * After the run has archived what is missing: the source does not have these accounts any more, nor those that are
   * deleted. So they are not archived again if another source pushes them. If the source has pushed one while it was
   * being archived, it is to be restored: the deletion waits for a transaction that is just storing it.
   */
  async settle(range: PushedRange): Promise<SettledPage> {
    const { rows, last } = await this.#read(range);
    const archived = await this.#archivedBy(range, rows);
    const deleted = rows.filter(
      ({ account, isMissing }) => isMissing && (account === undefined || account.deleted_at !== null),
    );
    const forgotten = new Set(await this.#forget(range, [...archived, ...deleted.map(({ id }) => id)]));
    const kept = archived.filter((id) => !forgotten.has(id));
    return { restore: await this.#pushedSince(range, kept), last };
  }

  /** Accounts are read by their ids: for a join the planner might read all of a tenant. */
  async #read({ tenantId, source, runId, after }: PushedRange): Promise<ReadPage> {
    const pushed = await this.#db
      .selectFrom('pushed')
      .select(['account_id', 'run_id'])
      .where('tenant_id', '=', tenantId)
      .where('source', '=', source)
      .where('account_id', '>', after)
      .orderBy('account_id')
      .limit(ROWS_PER_PAGE)
      .execute();
    const ids = pushed.map(({ account_id }) => account_id);
    const accounts = await this.#accounts(tenantId, ids);
    const rows = pushed.map(({ account_id: id, run_id }) => ({
      id,
      isMissing: run_id < runId,
      // A rejected record may name an account that does not exist.
      account: accounts.get(id),
    }));
    return { rows, last: pushed.length === ROWS_PER_PAGE ? ids.at(-1) : undefined };
  }

  async #accounts(tenantId: number, ids: readonly string[]): Promise<Map<string, ReadAccount>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom('account')
      .select(['account_id', 'name', 'revision', 'archived_at', 'deleted_at', 'last_change'])
      .where('tenant_id', '=', tenantId)
      .where('account_id', 'in', ids)
      .execute();
    return new Map(rows.map((row) => [row.account_id, row]));
  }

  /** The accounts that the run has archived. */
  async #archivedBy({ tenantId, runId }: PushedRange, rows: ReadPage['rows']): Promise<string[]> {
    const setOfAccount = new Map<string, number>();
    for (const { id, account } of rows) {
      const { archived_at = null, last_change = null } = account ?? {};
      if (archived_at !== null && last_change !== null) setOfAccount.set(id, setOf(last_change));
    }
    if (setOfAccount.size === 0) return [];
    const sets = await this.#db
      .selectFrom('change_set')
      .select('seq')
      .where('tenant_id', '=', tenantId)
      .where('seq', 'in', [...new Set(setOfAccount.values())])
      .where('run_id', '=', runId)
      .execute();
    const ofRun = new Set(sets.map(({ seq }) => seq));
    return [...setOfAccount].filter(([, seq]) => ofRun.has(seq)).map(([id]) => id);
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
