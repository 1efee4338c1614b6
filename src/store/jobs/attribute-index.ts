import type { Kysely, Transaction } from 'kysely';
import { isLongerThan } from '../../domain/text.js';
import { readBounded, sizeOf, upTo } from '../bounded-read.js';
import type { Dialect } from '../dialect.js';
import type { Tables } from '../schema/tables.js';
import { NO_INDEX, READY } from '../tenants/attributes.js';
import { changeConfiguration } from '../tenants/configuration-changes.js';

/** Accounts per transaction, which then takes a few milliseconds. */
const ACCOUNTS_PER_PAGE = 250;
/** Reported as the time of a step that only waits: the job rests nine times as long before the next. */
const POLL_MS = 5;
/** In characters of JSON; longer values are not indexed. The triggers in migration 0002 have the same limit. */
const MAX_INDEXED_LENGTH = 200;

/** `value` is JSON text. */
export function fitsIndex(value: string): boolean {
  return !isLongerThan(value, MAX_INDEXED_LENGTH);
}

/** A build in this process. How far it has come is stored with the attribute. */
export interface IndexBuild {
  /** See `nextIndexState`. */
  readonly number: number;
  /** The first page waits for the writes of this mark, which may have begun before the triggers knew of the index. */
  readonly writesBefore?: string | undefined;
}

export interface IndexStep {
  readonly written: number;
  /** The time in which account writes could have to wait for the step. */
  readonly ms: number;
  /** How many accounts the build has indexed; undefined if this step indexed none. */
  readonly indexedAccounts?: number;
  /** Undefined if the index is complete, or not wanted any more. */
  readonly next?: IndexBuild;
}

/**
 * Builds the index of an attribute over accounts that are already stored. Triggers add the values of accounts that are
 * written meanwhile and later. The build reads accounts in pages, in the order of their ids, each page in a short
 * transaction that also stores how far it has come; so any process can continue it, and two can share it. It begins
 * when all writes have ended that were running when the index was requested: on PostgreSQL their triggers may have
 * missed it. It stops if the number of the build in `attribute.indexed` has changed.
 */
export class AttributeIndex {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  /** Indexes the next page of accounts. `running` is the build if it has begun in this process. */
  async buildPage(tenantId: number, name: string, running?: IndexBuild): Promise<IndexStep> {
    const build = running ?? (await this.#start(tenantId, name));
    if (build === undefined) return { written: 0, ms: 0 };
    const { number, writesBefore } = build;
    if (writesBefore !== undefined && !(await this.#dialect.haveEnded(this.#db, writesBefore))) {
      return { written: 0, ms: POLL_MS, next: build };
    }
    const page = await this.#fillPage(tenantId, name, number);
    if (page === undefined) return { written: 0, ms: 0 };
    const { written, indexedAccounts, isLast, startedAt } = page;
    const step = { written, ms: performance.now() - startedAt, indexedAccounts };
    if (!isLast) return { ...step, next: { number } };
    await this.#finish(tenantId, name, number);
    return step;
  }

  /** Undefined if there is nothing to build. */
  async #start(tenantId: number, name: string): Promise<IndexBuild | undefined> {
    const attribute = this.#db.selectFrom('attribute').select('indexed').where('tenant_id', '=', tenantId);
    const number = (await attribute.where('name', '=', name).executeTakeFirst())?.indexed ?? NO_INDEX;
    if (number === NO_INDEX || number === READY) return undefined;
    return { number, writesBefore: await this.#dialect.markWrites(this.#db) };
  }

  /** Undefined if this build is not wanted any more. */
  #fillPage(tenantId: number, name: string, build: number) {
    return this.#db.transaction().execute(async (db): Promise<FilledPage | undefined> => {
      const attribute = this.#ofBuild(db, tenantId, name, build);
      // The first statement has to write: on SQLite it takes the write lock, so that no account changes after the read.
      const { numUpdatedRows } = await attribute.set({ indexed: build }).executeTakeFirst();
      if (numUpdatedRows === 0n) return undefined;
      const place = await db
        .selectFrom('attribute')
        .select(['index_after', 'index_accounts'])
        .where('tenant_id', '=', tenantId)
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      const { accounts, isEnd } = await this.#readPage(db, tenantId, place.index_after);
      // Measured from here: the wait for the lock is not the step's own time, and resting for it slows a build tenfold.
      const startedAt = performance.now();
      const rows = accounts.flatMap(({ account_id, fields }) => {
        const value = JSON.stringify(JSON.parse(fields)[name]);
        const fits = value !== undefined && fitsIndex(value);
        return fits ? [{ tenant_id: tenantId, account_id, name, value }] : [];
      });
      // An earlier index may have left outdated values. Only those of this page are deleted: the triggers have written
      // the right values for accounts that are new since.
      const ofThese = accounts.map(({ account_id }) => account_id);
      const values = db
        .deleteFrom('account_value')
        .where('tenant_id', '=', tenantId)
        .where('name', '=', name);
      if (ofThese.length > 0) await values.where('account_id', 'in', ofThese).execute();
      if (rows.length > 0) await db.insertInto('account_value').values(rows).execute();
      const indexedAccounts = place.index_accounts + ofThese.length;
      const index_after = ofThese.at(-1) ?? place.index_after;
      await attribute.set({ index_after, index_accounts: indexedAccounts }).execute();
      return { written: rows.length, indexedAccounts, isLast: isEnd, startedAt };
    });
  }

  /** Bounded in rows and bytes, because account writes wait for the transaction. */
  async #readPage(db: Transaction<Tables>, tenantId: number, after: string) {
    const { rows, isCut } = await readBounded(
      ACCOUNTS_PER_PAGE,
      'fields',
      (limit, bytes, last: PageRow | undefined) =>
        db
          .selectFrom('account')
          .select(['account_id', upTo(bytes, 'fields').as('fields'), sizeOf('fields').as('size')])
          .where('tenant_id', '=', tenantId)
          .where('account_id', '>', last?.account_id ?? after)
          .orderBy('account_id')
          .limit(limit)
          .modifyEnd(this.#dialect.forShare)
          .execute(),
    );
    return { accounts: rows, isEnd: !isCut && rows.length < ACCOUNTS_PER_PAGE };
  }

  /** As a change of the configuration, so that the caches of all processes learn that the index is ready. */
  #finish(tenantId: number, name: string, build: number): Promise<unknown> {
    return changeConfiguration(this.#db, (db) =>
      this.#ofBuild(db, tenantId, name, build)
        .set({ indexed: READY, index_after: '', index_accounts: 0 })
        .execute(),
    );
  }

  #ofBuild(db: Transaction<Tables>, tenantId: number, name: string, build: number) {
    return db
      .updateTable('attribute')
      .where('tenant_id', '=', tenantId)
      .where('name', '=', name)
      .where('indexed', '=', build);
  }
}

interface PageRow {
  readonly account_id: string;
  readonly fields: string;
  readonly size: number;
}

interface FilledPage {
  readonly written: number;
  readonly indexedAccounts: number;
  readonly isLast: boolean;
  readonly startedAt: number;
}
