import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { Tables } from '../tables.js';

export async function firstTables(db: Kysely<Tables>): Promise<void> {
  await db.schema.createTable('configuration').addColumn('version', 'integer', notNull).execute();
  await db.insertInto('configuration').values({ version: 1 }).execute();
  await createTenantTables(db);
  await createKeyTable(db);
  await createAccountTables(db);
}

async function createTenantTables({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('tenant')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('account_ids', 'text', notNull)
    .addColumn('undeclared_fields', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .execute();
  await schema
    .createTable('tenant_host')
    .addColumn('host', 'text', (column) => column.primaryKey())
    .addColumn('tenant_id', 'integer', ofTenant)
    .execute();
  await schema
    .createTable('attribute')
    .addColumn('tenant_id', 'integer', ofTenant)
    .addColumn('name', 'text', notNull)
    .addColumn('type', 'text', notNull)
    .addColumn('choices', 'text', notNull)
    .addColumn('read_only', 'integer', notNull)
    .addPrimaryKeyConstraint('attribute_key', ['tenant_id', 'name'])
    .execute();
  await schema
    .createTable('blocked_id')
    .addColumn('tenant_id', 'integer', ofTenant)
    .addColumn('pattern', 'text', notNull)
    .addPrimaryKeyConstraint('blocked_id_key', ['tenant_id', 'pattern'])
    .execute();
}

async function createKeyTable({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('api_key')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('tenant_id', 'integer', ofTenant)
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('scopes', 'text', notNull)
    .addColumn('label', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute();
  await schema.createIndex('api_key_by_tenant').on('api_key').column('tenant_id').execute();
}

async function createAccountTables({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('account')
    .addColumn('tenant_id', 'integer', ofTenant)
    .addColumn('account_id', 'text', notNull)
    .addColumn('parent_account_id', 'text')
    .addColumn('name', 'text')
    .addColumn('fields', 'text', notNull)
    .addColumn('revision', 'integer', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addUniqueConstraint('account_key', ['tenant_id', 'account_id'])
    .execute();
  await schema
    .createTable('account_history')
    .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('tenant_id', 'integer', notNull)
    .addColumn('account_id', 'text', notNull)
    .addColumn('revision', 'integer', notNull)
    .addColumn('at', 'bigint', notNull)
    .addColumn('request_id', 'text', notNull)
    .addColumn('key_id', 'text', notNull)
    .addColumn('changes', 'text', notNull)
    .addUniqueConstraint('account_history_key', ['tenant_id', 'account_id', 'revision'])
    .execute();
}

function notNull(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull();
}

function ofTenant(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull().references('tenant.id');
}
