import type { Kysely, Transaction } from 'kysely';
import { accountIdsOf } from '../../domain/identifier.js';
import type { JsonValue } from '../../domain/json.js';
import { type Sender, withSenders } from '../runs/senders.js';
import type { Tables } from '../schema/tables.js';
import { PeriodCounts } from './period-counts.js';
import { type SentBy, sentBy } from './sent-by.js';

/** A request that was rejected, or one rejected record of a request. */
export interface Rejection {
  readonly at: number;
  readonly requestId: string;
  readonly senderId: string;
  /** Null if its run is not known. */
  readonly runId: number | null;
  readonly operation: string;
  readonly status: number;
  /** Position of the record in its batch or import. */
  readonly place: number | null;
  readonly accountId: string | null;
  readonly errors: Readonly<Record<string, readonly string[]>> | null;
  /** The message, if it is not about an attribute. */
  readonly problem: string | null;
  readonly record: JsonValue;
}

export interface TenantRejections {
  readonly tenantId: number;
  /** The rejections to store. */
  readonly rejections: readonly Rejection[];
  /** Timestamp → number of rejections, also of those that are not stored. */
  readonly total: ReadonlyMap<number, number>;
}

/** A rejection as stored. */
export interface StoredRejection extends Rejection, Sender {
  readonly id: number;
}

export interface RejectionFilter extends SentBy {
  /** Only ids below this one. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** Only from this timestamp on. */
  readonly oldest: number;
  /** Only before this timestamp. */
  readonly until?: number | undefined;
  readonly operation?: string | undefined;
  /** Only if this accepts the account id as it was sent. */
  readonly isAccount?: ((accountId: string) => boolean) | undefined;
}

/** Enough to find out what is wrong with an integration. A flood of rejections takes no more space. */
const KEPT_PER_TENANT = 1_000;

export class Rejections {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Stores rejections, and deletes all but the newest of each tenant. */
  async record(all: readonly TenantRejections[], now: number): Promise<void> {
    for (const { tenantId, rejections, total } of all) {
      if (!(await this.#tenantExists(tenantId))) continue;
      const periods = new PeriodCounts();
      for (const [at, times] of total) periods.add(at, 'refused', times);
      await this.#db.transaction().execute(async (db) => {
        // The first statement has to write: it takes the write lock.
        await periods.store(db, tenantId, now);
        const rows = (await skipDeleted(db, tenantId, rejections)).map((one) => rowFrom(tenantId, one));
        if (rows.length > 0) await db.insertInto('rejection').values(rows).execute();
        await db
          .deleteFrom('rejection')
          .where('tenant_id', '=', tenantId)
          .where('id', '<=', (select) =>
            select
              .selectFrom('rejection')
              .select('id')
              .where('tenant_id', '=', tenantId)
              .orderBy('id', 'desc')
              .limit(1)
              .offset(KEPT_PER_TENANT),
          )
          .execute();
      });
    }
  }

  /** The tenant may have been removed since its request was rejected. */
  async #tenantExists(tenantId: number): Promise<boolean> {
    const query = this.#db.selectFrom('tenant').select('id').where('id', '=', tenantId);
    return (await query.executeTakeFirst()) !== undefined;
  }

  /** Deletes the rejections of one account, whichever spelling of its id they have. */
  async forgetAccount(tenantId: number, accountId: string): Promise<void> {
    const query = this.#db.selectFrom('rejection').select(['id', 'account_id']);
    const all = await query.where('tenant_id', '=', tenantId).execute();
    const ids = all
      .filter(({ account_id }) => accountIdsOf(account_id ?? '').includes(accountId))
      .map(({ id }) => id);
    if (ids.length > 0) await this.#db.deleteFrom('rejection').where('id', 'in', ids).execute();
  }

  /** Newest first. */
  async page(tenantId: number, filter: RejectionFilter): Promise<StoredRejection[]> {
    const { before, limit, oldest, until, operation, isAccount } = filter;
    let query = this.#db
      .selectFrom('rejection')
      .where('tenant_id', '=', tenantId)
      .where('at', '>=', oldest)
      .where(sentBy(tenantId, filter))
      .orderBy('id', 'desc');
    if (before !== undefined) query = query.where('id', '<', before);
    if (until !== undefined) query = query.where('at', '<', until);
    if (operation !== undefined) query = query.where('operation', '=', operation);
    if (isAccount !== undefined) {
      // SQL cannot compare spellings of ids. A tenant has few rejections, so all of their ids are read.
      const all = await query.select(['id', 'account_id']).execute();
      const ids = all.filter(({ account_id: id }) => id !== null && isAccount(id)).map(({ id }) => id);
      if (ids.length === 0) return [];
      query = query.where('id', 'in', ids.slice(0, limit));
    }
    const rows = await query.selectAll().limit(limit).execute();
    const found = rows.map((row) => ({
      id: row.id,
      at: row.at,
      requestId: row.request_id,
      senderId: row.key_id,
      runId: row.run_id,
      operation: row.operation,
      status: row.status,
      place: row.place,
      accountId: row.account_id,
      errors: row.errors === null ? null : JSON.parse(row.errors),
      problem: row.problem,
      record: row.record === null ? null : JSON.parse(row.record),
    }));
    return withSenders(this.#db, tenantId, found);
  }
}

function rowFrom(tenantId: number, rejection: Rejection) {
  const { at, requestId, senderId, runId, operation, status, place } = rejection;
  const { accountId, errors, problem, record } = rejection;
  return {
    tenant_id: tenantId,
    at,
    request_id: requestId,
    key_id: senderId,
    operation,
    status,
    place,
    account_id: accountId,
    errors: errors === null ? null : JSON.stringify(errors),
    problem,
    record: record === null ? null : JSON.stringify(record),
    run_id: runId,
  };
}

/** Leaves out rejections of accounts that were deleted since: a deletion removes all data of an account. */
async function skipDeleted(
  db: Transaction<Tables>,
  tenantId: number,
  rejections: readonly Rejection[],
): Promise<readonly Rejection[]> {
  const idsOf = ({ accountId }: Rejection) => accountIdsOf(accountId ?? '');
  const ids = [...new Set(rejections.flatMap(idsOf))];
  if (ids.length === 0) return rejections;
  const first = Math.min(...rejections.map(({ at }) => at));
  const accounts = await db
    .selectFrom('account')
    .select(['account_id', 'deleted_at'])
    .where('tenant_id', '=', tenantId)
    .where('account_id', 'in', ids)
    .where('deleted_at', '>=', first)
    .execute();
  // Of accounts that were created again since, too.
  const erasures = await db
    .selectFrom('erasure')
    .select(['account_id', 'deleted_at'])
    .where('tenant_id', '=', tenantId)
    .where('account_id', 'in', ids)
    .execute();
  const deletedAt = new Map(
    [...erasures, ...accounts].map(({ account_id, deleted_at }) => [account_id, deleted_at ?? -1]),
  );
  return rejections.filter((rejection) =>
    idsOf(rejection).every((id) => rejection.at > (deletedAt.get(id) ?? -1)),
  );
}
