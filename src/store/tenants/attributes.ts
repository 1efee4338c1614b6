import type { Kysely, Selectable, Transaction } from 'kysely';
import type { OwnedFieldMode } from '../../domain/account.js';
import type { TypeName } from '../../domain/attribute-types.js';
import { NO_PRESENTATION, type Presentation } from '../../domain/presentation.js';
import {
  type Attribute,
  BUILT_IN_ATTRIBUTES,
  type FieldOwner,
  isBuiltIn,
  MAX_ATTRIBUTES,
  OWNABLE_FIELDS,
} from '../../domain/tenant.js';
import { TooManyAttributes } from '../errors.js';
import type { Tables } from '../schema/tables.js';
import { type Actor, changeConfiguration, commandLine, recordChange } from './configuration-changes.js';
import { requireSource } from './sources.js';

type DefinedLater = 'index' | 'indexedAccounts' | 'owner' | 'presentation';

export interface AttributeDefinition extends Omit<Attribute, DefinedLater> {
  /** Unchanged if undefined. */
  readonly indexed?: boolean | undefined;
  /** Unchanged if undefined; null: every source may change it. */
  readonly owner?: FieldOwner | null | undefined;
  /** What is not given stays unchanged. */
  readonly presentation?: Partial<Presentation>;
}

/** The declared attributes of tenants. */
export class Attributes {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async list(tenantId: number): Promise<Attribute[]> {
    const query = this.#db.selectFrom('attribute').selectAll().where('tenant_id', '=', tenantId);
    return (await query.orderBy('name').execute()).map(attributeFromRow);
  }

  /** Attributes of all tenants with an incomplete index: a process ended during the build. */
  async unfinished(): Promise<{ readonly tenantId: number; readonly name: string }[]> {
    const query = this.#db
      .selectFrom('attribute')
      .select(['tenant_id', 'name'])
      .where('indexed', 'not in', [NO_INDEX, READY]);
    return (await query.execute()).map(({ tenant_id, name }) => ({ tenantId: tenant_id, name }));
  }

  /**
   * Does not build the index of an attribute that becomes indexed. Rejects with `TooManyAttributes` at the limit, and with
   * `UnknownSource` if its owner does not exist.
   */
  set(tenantId: number, definition: AttributeDefinition, by: Actor = commandLine()): Promise<Attribute> {
    const { name, type, choices, readOnly, indexed, owner, presentation } = definition;
    return changeConfiguration(this.#db, async (db) => {
      const before = await findRow(db, tenantId, name);
      if (before === undefined && !isBuiltIn(name) && (await countDeclared(db, tenantId)) >= MAX_ATTRIBUTES) {
        throw new TooManyAttributes(MAX_ATTRIBUTES);
      }
      if (owner) await requireSource(db, tenantId, owner.source);
      const row = {
        type,
        choices: JSON.stringify(choices),
        read_only: readOnly ? 1 : 0,
        ...ownerColumns(owner, before),
        ...presentationColumns(presentation, before),
        ...(await nextIndexState(db, before ?? NOT_INDEXED, indexed)),
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

/** Built-in attributes do not count; one that was indexed has a row, too. */
async function countDeclared(db: Transaction<Tables>, tenantId: number): Promise<number> {
  const builtIn = [...BUILT_IN_ATTRIBUTES, ...OWNABLE_FIELDS].map(({ name }) => name);
  const { count } = await db
    .selectFrom('attribute')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('name', 'not in', builtIn)
    .executeTakeFirstOrThrow();
  return Number(count);
}

function attributeFromRow(row: Row): Attribute {
  const { name, type, choices, read_only, owner, others, indexed, index_accounts } = row;
  const presentation = presentationFromRow(row);
  const attribute = {
    name,
    type: type as TypeName,
    choices: JSON.parse(choices),
    readOnly: read_only === 1,
    ...(owner !== null && { owner: { source: owner, others: (others ?? 'reject') as OwnedFieldMode } }),
    ...(Object.values(presentation).some((part) => part !== null) && { presentation }),
  };
  if (indexed === NO_INDEX) return attribute;
  if (indexed === READY) return { ...attribute, index: 'ready' };
  return { ...attribute, index: 'building', indexedAccounts: index_accounts };
}

function ownerColumns(owner: FieldOwner | null | undefined, before: Row | undefined) {
  if (owner === undefined) return { owner: before?.owner ?? null, others: before?.others ?? null };
  return { owner: owner?.source ?? null, others: owner?.others ?? null };
}

function presentationFromRow({ label, description, unit, position, group_name: group }: Row): Presentation {
  return { label, description, unit, position, group };
}

function presentationColumns(changes: Partial<Presentation> | undefined, before: Row | undefined) {
  const stored = before === undefined ? NO_PRESENTATION : presentationFromRow(before);
  const { group, ...columns } = { ...stored, ...changes };
  return { ...columns, group_name: group };
}

function described(row: Row) {
  const { type, choices, read_only, owner, others, indexed } = row;
  const isIndexed = indexed !== NO_INDEX;
  return {
    type,
    choices: JSON.parse(choices),
    read_only: read_only === 1,
    indexed: isIndexed,
    owner,
    others,
    ...presentationFromRow(row),
  };
}

/** Values of `attribute.indexed`; every other number is that of a running build. */
export const NO_INDEX = 0;
export const READY = 2;

type IndexState = Pick<Row, 'indexed' | 'index_after' | 'index_accounts'>;

const NOT_INDEXED: IndexState = { indexed: NO_INDEX, index_after: '', index_accounts: 0 };

/**
 * The next state of the index. It must run within `changeConfiguration`: the configuration version makes the number of
 * each build unique. So a build notices if its index was dropped and requested again meanwhile.
 */
async function nextIndexState(
  db: Transaction<Tables>,
  stored: IndexState,
  isWanted: boolean | undefined,
): Promise<IndexState> {
  if (isWanted === false) return NOT_INDEXED;
  const { indexed, index_after, index_accounts } = stored;
  if (isWanted === undefined || indexed !== NO_INDEX) return { indexed, index_after, index_accounts };
  const { version } = await db.selectFrom('configuration').select('version').executeTakeFirstOrThrow();
  return { ...NOT_INDEXED, indexed: READY + version };
}
