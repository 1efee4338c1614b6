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

/** The progress of a build. */
export interface IndexPlace {
  /** The number of the build; see `nextIndexState`. */
  readonly build: number;
  /** The last account of the previous page. */
  readonly after: string;
  /** The first page waits for the writes of this mark, which began before the triggers knew of the index. */
  readonly writesBefore?: string | undefined;
}

export interface IndexStep {
  readonly written: number;
  /** The time in which account writes could have to wait for the step. */
  readonly ms: number;
  /** Undefined if the index is complete, or not wanted any more. */
  readonly next?: IndexPlace;
}

/**
 * Builds the index of an attribute over accounts that are already stored. Triggers add the values of accounts that are
 * written meanwhile and later. The build reads accounts in pages, in the order of their ids, each page in a short
 * transaction. It begins when all writes have ended that were running when the index was requested: on PostgreSQL their
 * triggers may have missed it. It stops if the number of the build in `attribute.indexed` has changed.
 */
export class AttributeIndex {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  /** Indexes one page of accounts: the first page, or the page after `from`. */
  async buildPage(tenantId: number, name: string, from?: IndexPlace): Promise<IndexStep> {
    const place = from ?? (await this.#start(tenantId, name));
    if (place === undefined) return { written: 0, ms: 0 };
    const { writesBefore } = place;
    if (writesBefore !== undefined && !(await this.#dialect.haveEnded(this.#db, writesBefore))) {
      return { written: 0, ms: POLL_MS, next: place };
    }
    const page = await this.#fillPage(tenantId, name, place);
    if (page === undefined) return { written: 0, ms: 0 };
    const { written, last, startedAt } = page;
    const step = { written, ms: performance.now() - startedAt };
    if (last !== undefined) return { ...step, next: { build: place.build, after: last } };
    await this.#finish(tenantId, name, place.build);
    return step;
  }

  /** Undefined if there is nothing to build. */
  async #start(tenantId: number, name: string): Promise<IndexPlace | undefined> {
    const attribute = this.#db.selectFrom('attribute').select('indexed').where('tenant_id', '=', tenantId);
    const build = (await attribute.where('name', '=', name).executeTakeFirst())?.indexed ?? NO_INDEX;
    if (build === NO_INDEX || build === READY) return undefined;
    return { build, after: '', writesBefore: await this.#dialect.markWrites(this.#db) };
  }

  /** Undefined if this build is not wanted any more. */
  #fillPage(tenantId: number, name: string, { build, after }: IndexPlace) {
    return this.#db.transaction().execute(async (db): Promise<FilledPage | undefined> => {
      // The first statement has to write: on SQLite it takes the write lock, so that no account changes after the read.
      const attribute = await this.#ofBuild(db, tenantId, name, build)
        .set({ indexed: build })
        .executeTakeFirst();
      if (attribute.numUpdatedRows === 0n) return undefined;
      const { accounts, isEnd } = await this.#readPage(db, tenantId, after);
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
      return { written: rows.length, last: isEnd ? undefined : ofThese.at(-1), startedAt };
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
      this.#ofBuild(db, tenantId, name, build).set({ indexed: READY }).execute(),
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
  /** The last account of the page; undefined if there are no more pages. */
  readonly last: string | undefined;
  readonly startedAt: number;
}
