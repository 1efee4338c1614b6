import { type ColumnDefinitionBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import type { DialectName } from '../../dialect.js';
import type { Tables } from '../tables.js';

interface ColumnKinds {
  /** Compared byte by byte on both databases: other collations differ, and change with the operating system. */
  readonly text: 'text' | RawBuilder<unknown>;
  readonly count: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
}

const KINDS: Record<DialectName, ColumnKinds> = {
  sqlite: { text: 'text', count: (column) => column.primaryKey().autoIncrement() },
  postgres: {
    text: sql`text collate "C"`,
    count: (column) => column.notNull().generatedByDefaultAsIdentity(),
  },
};

export async function firstTables(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  const kinds = KINDS[dialect];
  await db.schema.createTable('configuration').addColumn('version', 'integer', notNull).execute();
  await db.insertInto('configuration').values({ version: 1 }).execute();
  await createTenantTables(db, kinds);
  await createKeyTable(db, kinds);
  await createAccountTables(db, kinds, dialect);
}

async function createTenantTables({ schema }: Kysely<Tables>, { text, count }: ColumnKinds): Promise<void> {
  await schema
    .createTable('tenant')
    .addColumn('id', 'integer', (column) => count(column).primaryKey())
    .addColumn('name', text, (column) => column.notNull().unique())
    .addColumn('account_ids', text, notNull)
    .addColumn('undeclared_fields', text, notNull)
    .addColumn('created_at', 'bigint', notNull)
    .execute();
  await schema
    .createTable('tenant_host')
    .addColumn('host', text, (column) => column.primaryKey())
    .addColumn('tenant_id', 'integer', ofTenant)
    .execute();
  await schema
    .createTable('attribute')
    .addColumn('tenant_id', 'integer', ofTenant)
    .addColumn('name', text, notNull)
    .addColumn('type', text, notNull)
    .addColumn('choices', text, notNull)
    .addColumn('read_only', 'integer', notNull)
    .addPrimaryKeyConstraint('attribute_key', ['tenant_id', 'name'])
    .execute();
  await schema
    .createTable('blocked_id')
    .addColumn('tenant_id', 'integer', ofTenant)
    .addColumn('pattern', text, notNull)
    .addPrimaryKeyConstraint('blocked_id_key', ['tenant_id', 'pattern'])
    .execute();
}

async function createKeyTable({ schema }: Kysely<Tables>, { text }: ColumnKinds): Promise<void> {
  await schema
    .createTable('api_key')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('tenant_id', 'integer', ofTenant)
    .addColumn('hash', text, (column) => column.notNull().unique())
    .addColumn('scopes', text, notNull)
    .addColumn('label', text, notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute();
  await schema.createIndex('api_key_by_tenant').on('api_key').column('tenant_id').execute();
}

async function createAccountTables(
  { schema }: Kysely<Tables>,
  { text, count }: ColumnKinds,
  dialect: DialectName,
): Promise<void> {
  const isSqlite = dialect === 'sqlite';
  const account = schema
    .createTable('account')
    // On PostgreSQL the insert checks the tenant itself: a foreign key, checked row by row, doubles the cost.
    .addColumn('tenant_id', 'integer', isSqlite ? ofTenant : notNull)
    .addColumn('account_id', text, notNull)
    .addColumn('parent_account_id', text)
    .addColumn('name', text)
    .addColumn('fields', text, notNull)
    .addColumn('revision', 'integer', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull);
  // In SQLite a table with a rowid and a unique index is faster than one with a primary key of several columns.
  await (isSqlite
    ? account.addUniqueConstraint('account_key', ['tenant_id', 'account_id'])
    : account.addPrimaryKeyConstraint('account_key', ['tenant_id', 'account_id'])
  ).execute();
  const history = schema
    .createTable('account_history')
    .addColumn('seq', isSqlite ? 'integer' : 'bigint', count)
    .addColumn('tenant_id', 'integer', notNull)
    .addColumn('account_id', text, notNull)
    .addColumn('revision', 'integer', notNull)
    .addColumn('at', 'bigint', notNull)
    .addColumn('request_id', text, notNull)
    .addColumn('key_id', text, notNull)
    .addColumn('changes', text, notNull);
  const key = ['tenant_id', 'account_id', 'revision'] as const;
  await (isSqlite
    ? history.addUniqueConstraint('account_history_key', [...key])
    : history.addPrimaryKeyConstraint('account_history_key', [...key])
  ).execute();
}

function notNull(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull();
}

function ofTenant(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull().references('tenant.id');
}
