import type { Kysely, Transaction } from 'kysely';
import { isLongerThan } from '../../domain/text.js';
import { readBounded, sizeOf, upTo } from '../bounded-read.js';
import type { Dialect } from '../dialect.js';
import type { Tables } from '../schema/tables.js';
import { NO_INDEX, READY } from '../tenants/attributes.js';
import { changeConfiguration } from '../tenants/configuration-changes.js';

/** Of one transaction of a build: a few milliseconds. */
const ACCOUNTS_PER_PAGE = 250;
/** In characters of JSON; longer values are not in the index. */
const MAX_INDEXED_LENGTH = 200;

/** `value` is JSON text. */
export function fitsIndex(value: string): boolean {
  return !isLongerThan(value, MAX_INDEXED_LENGTH);
}

/** How far a build has come. */
export interface IndexPlace {
  readonly build: number;
  /** The last account of the page before. */
  readonly after: string;
}

export interface IndexStep {
  readonly written: number;
  /** How long writers could wait for it. */
  readonly ms: number;
  /** Undefined where the index is complete, or not wanted any more. */
  readonly next?: IndexPlace;
}

/** Fills the index of an attribute with what was stored before; triggers keep it from then on. */
export class AttributeIndex {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  /** A page of accounts in a short transaction: from the beginning, or behind the page before. */
  async buildPage(tenantId: number, name: string, from?: IndexPlace): Promise<IndexStep> {
    const place = from ?? (await this.#beginning(tenantId, name));
    if (place === undefined) return { written: 0, ms: 0 };
    const page = await this.#fillPage(tenantId, name, place);
    if (page === undefined) return { written: 0, ms: 0 };
    const { written, last, startedAt } = page;
    const step = { written, ms: performance.now() - startedAt };
    if (last !== undefined) return { ...step, next: { ...place, after: last } };
    await this.#finish(tenantId, name, place.build);
    return step;
  }

  /** Undefined where there is nothing to build. */
  async #beginning(tenantId: number, name: string): Promise<IndexPlace | undefined> {
    const attribute = this.#db.selectFrom('attribute').select('indexed').where('tenant_id', '=', tenantId);
    const build = (await attribute.where('name', '=', name).executeTakeFirst())?.indexed ?? NO_INDEX;
    return build === NO_INDEX || build === READY ? undefined : { build, after: '' };
  }

  /** Undefined where this build is not wanted any more. */
  #fillPage(tenantId: number, name: string, { build, after }: IndexPlace) {
    return this.#db.transaction().execute(async (db): Promise<FilledPage | undefined> => {
      // First of all: on SQLite it takes the write lock, so that no account changes between reading and writing.
      const attribute = await this.#ofBuild(db, tenantId, name, build)
        .set({ indexed: build })
        .executeTakeFirst();
      if (attribute.numUpdatedRows === 0n) return undefined;
      const { accounts, isEnd } = await this.#readPage(db, tenantId, after);
      // Only now: until here it may have waited for writers, and beside many of them that would slow it down tenfold.
      const startedAt = performance.now();
      const rows = accounts.flatMap(({ account_id, fields }) => {
        const value = JSON.stringify(JSON.parse(fields)[name]);
        const fits = value !== undefined && fitsIndex(value);
        return fits ? [{ tenant_id: tenantId, account_id, name, value }] : [];
      });
      // An earlier index may have left values that are outdated. Of these accounts alone: of others that came meanwhile
      // the trigger has written what is right.
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

  /** Bounded in rows and bytes, since writers wait for its transaction. */
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

  /** A change of the configuration, since the caches of all processes have to know that it is ready. */
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
  /** The last account of the page; undefined at the end. */
  readonly last: string | undefined;
  readonly startedAt: number;
}
