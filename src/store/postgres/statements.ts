/**
 * The account write, a statement a step for a whole group of one tenant. Prepared once a connection. Columns are
 * named, never `*`: a prepared statement must not break when a newer version adds a column.
 */
const COLUMNS = 'account_id, parent_account_id, name, fields, revision, created_at, updated_at';
const READ = `select ${COLUMNS} from account where tenant_id = $1 and account_id = any($2::text[])`;

export const statements = {
  read: { name: 'read', text: READ },
  /** In one order everywhere, so that no two processes wait for each other. */
  lockAndRead: { name: 'lock-and-read', text: `${READ} order by account_id for no key update` },
  /** Fails, by a division by zero, unless each account still has the revision that was read. */
  lockAsRead: {
    name: 'lock-as-read',
    text: `
      select 1 / (count(*) = $4)::int from (
        select from account join unnest($2::text[], $3::int[]) as seen (id, revision_seen)
          on account_id = id and revision = revision_seen
        where tenant_id = $1 order by account_id for no key update of account
      ) as locked`,
  },
  insert: {
    name: 'insert',
    text: `
      insert into account (tenant_id, ${COLUMNS})
      select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::bigint[], $8::bigint[])`,
  },
  update: {
    name: 'update',
    text: `
      update account set parent_account_id = new_parent, name = new_name, fields = new_fields,
        revision = new_revision, updated_at = new_updated_at
      from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::bigint[])
        as new (id, new_parent, new_name, new_fields, new_revision, new_updated_at)
      where tenant_id = $1 and account_id = id`,
  },
  appendHistory: {
    name: 'append-history',
    text: `
      insert into account_history (tenant_id, account_id, revision, at, request_id, key_id, changes)
      select $1, * from unnest($2::text[], $3::int[], $4::bigint[], $5::text[], $6::text[], $7::text[])`,
  },
  /** A process that writes late does not set the clock back. */
  keysUsed: {
    name: 'keys-used',
    text: `
      with used as (
        select id, at from api_key join unnest($1::text[], $2::bigint[]) as use (key_id, at) on id = key_id
        order by id for no key update of api_key
      )
      update api_key set last_used_at = greatest(last_used_at, used.at) from used where api_key.id = used.id`,
  },
} as const;
