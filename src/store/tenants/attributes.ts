import type { Kysely, Selectable, Transaction } from 'kysely';
import type { TypeName } from '../../domain/attribute-types.js';
import { type Attribute, BUILT_IN_ATTRIBUTES, isBuiltIn, MAX_ATTRIBUTES } from '../../domain/tenant.js';
import type { Dialect } from '../dialect.js';
import { TooManyAttributes } from '../errors.js';
import type { Tables } from '../schema/tables.js';
import { type Actor, changeConfiguration, commandLine, recordChange } from './configuration-changes.js';

export interface AttributeDefinition extends Omit<Attribute, 'index'> {
  /** Left as it is where nothing is said. */
  readonly indexed?: boolean | undefined;
}

/** The declared attributes of tenants. */
export class Attributes {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  async list(tenantId: number): Promise<Attribute[]> {
    const query = this.#db.selectFrom('attribute').selectAll().where('tenant_id', '=', tenantId);
    return (await query.orderBy('name').execute()).map(attributeFromRow);
  }

  /** Those of all tenants whose index is not complete: a process ended before it was. */
  async unfinished(): Promise<{ readonly tenantId: number; readonly name: string }[]> {
    const query = this.#db
      .selectFrom('attribute')
      .select(['tenant_id', 'name'])
      .where('indexed', 'not in', [NO_INDEX, READY]);
    return (await query.execute()).map(({ tenant_id, name }) => ({ tenantId: tenant_id, name }));
  }

  /** The index of one that becomes indexed is still to be built. Rejects with `TooManyAttributes` at the limit. */
  set(tenantId: number, definition: AttributeDefinition, by: Actor = commandLine()): Promise<Attribute> {
    const { name, type, choices, readOnly, indexed } = definition;
    return changeConfiguration(this.#db, async (db) => {
      // Who is writing now would not know of the index: let them finish, and nobody begin before it is known.
      if (indexed) await this.#dialect.lockAccounts(db);
      const before = await findRow(db, tenantId, name);
      if (before === undefined && !isBuiltIn(name) && (await countDeclared(db, tenantId)) >= MAX_ATTRIBUTES) {
        throw new TooManyAttributes(MAX_ATTRIBUTES);
      }
      const row = {
        type,
        choices: JSON.stringify(choices),
        read_only: readOnly ? 1 : 0,
        indexed: await nextIndexState(db, before?.indexed ?? NO_INDEX, indexed),
      };
      await db
        .insertInto('attribute')
        .values({ tenant_id: tenantId, name, ...row })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doUpdateSet(row))
        .execute();
      const after = { tenant_id: tenantId, name, ...row };
      const from = before === undefined ? null : described(before);
      await recordChange(db, tenantId, by, {
        action: 'attribute.set',
        subject: name,
        from,
        to: described(after),
      });
      return attributeFromRow(after);
    });
  }

  remove(tenantId: number, name: string, by: Actor = commandLine()): Promise<boolean> {
    return changeConfiguration(this.#db, async (db) => {
      const before = await findRow(db, tenantId, name);
      if (before === undefined) return false;
      await db.deleteFrom('attribute').where('tenant_id', '=', tenantId).where('name', '=', name).execute();
      const change = { action: 'attribute.remove', subject: name, from: described(before), to: null };
      await recordChange(db, tenantId, by, change);
      return true;
    });
  }
}

type Row = Selectable<Tables['attribute']>;

function findRow(db: Transaction<Tables>, tenantId: number, name: string): Promise<Row | undefined> {
  const query = db.selectFrom('attribute').selectAll().where('tenant_id', '=', tenantId);
  return query.where('name', '=', name).executeTakeFirst();
}

/** A built-in attribute has a row, too, once it was indexed. */
async function countDeclared(db: Transaction<Tables>, tenantId: number): Promise<number> {
  const builtIn = BUILT_IN_ATTRIBUTES.map(({ name }) => name);
  const { count } = await db
    .selectFrom('attribute')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('name', 'not in', builtIn)
    .executeTakeFirstOrThrow();
  return Number(count);
}

function attributeFromRow(row: Row): Attribute {
  return {
    name: row.name,
    type: row.type as TypeName,
    choices: JSON.parse(row.choices),
    readOnly: row.read_only === 1,
    ...(row.indexed !== NO_INDEX && { index: row.indexed === READY ? 'ready' : 'building' }),
  };
}

function described(row: Row) {
  const { type, choices, read_only, indexed } = row;
  return { type, choices: JSON.parse(choices), read_only: read_only === 1, indexed: indexed !== NO_INDEX };
}

/** What `attribute.indexed` says; every other number is that of a build under way. */
export const NO_INDEX = 0;
export const READY = 2;

/**
 * Within `changeConfiguration`, whose version makes the number of a build: no two builds have the same. So a build that
 * is under way while its attribute stops being indexed, and becomes indexed again, notices that it is outdated.
 */
export async function nextIndexState(
  db: Transaction<Tables>,
  stored: number,
  isWanted: boolean | undefined,
): Promise<number> {
  if (isWanted === undefined) return stored;
  if (!isWanted) return NO_INDEX;
  if (stored !== NO_INDEX) return stored;
  const { version } = await db.selectFrom('configuration').select('version').executeTakeFirstOrThrow();
  return READY + version;
}
