import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../../dialect.js';
import type { Tables } from '../tables.js';

/**
 * People who sign in: users, their roles in tenants, and links that are used once. Servers of the previous version
 * write sessions without the new columns, and find no key for a session of a user.
 */
export async function users(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  const text = dialect === 'sqlite' ? sql`text` : sql`text collate "C"`;
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);
  await run(sql`
    create table app_user (
      id ${text} not null primary key, email ${text} not null unique, name ${text} not null, password ${text},
      oidc_issuer ${text}, oidc_subject ${text}, created_at bigint not null
    )`);
  await run(sql`create unique index app_user_by_identity on app_user (oidc_issuer, oidc_subject)`);
  await run(sql`
    create table membership (
      tenant_id integer not null, user_id ${text} not null, role ${text} not null, origin ${text} not null,
      created_at bigint not null, disabled_at bigint, removed_at bigint, last_used_at bigint,
      primary key (tenant_id, user_id)
    )`);
  await run(sql`create index membership_by_user on membership (user_id, tenant_id)`);
  await run(sql`
    create table one_time_link (
      id ${text} not null primary key, hash ${text} not null unique, kind ${text} not null, tenant_id integer,
      email ${text} not null, role ${text}, created_at bigint not null, expires_at bigint not null,
      created_by ${text}
    )`);
  await run(sql`create index one_time_link_by_email on one_time_link (email, kind)`);
  await run(sql`create index one_time_link_by_tenant on one_time_link (tenant_id, created_at, id)`);
  await run(sql`alter table session add column id ${text}`);
  await run(sql`alter table session add column user_agent ${text}`);
  await run(sql`alter table session add column last_used_at bigint`);
}
